// Augmentation of pairs, drawn again each time: other segmentations (BPE dropout, Provilkov et al. 2020), and sources with
// typing errors and changed case. The text is decoded from the ids, which is lossless.

import { HeedError } from '../base/error.ts';
import { Random } from '../base/random.ts';
import type { Tokenizer } from '../text/index.ts';
import { changeCase, misspell } from './noise.ts';
import type { EncodedPair } from './pairs.ts';

export interface AugmentOptions {
  /** Probability of skipping a merge, on both sides; 0.1 in that paper. 0: off. */
  readonly bpeDropout: number;
  /** Share of sources written in capitals, in small letters or Like A Title. 0: off. */
  readonly noiseCase: number;
  /** Probability of a typing error at each letter of a source. 0: off. */
  readonly noiseTypos: number;
  readonly seed: number;
}

/** The augmented pair for a step of training: a function of seed, step and index only. */
export type Augment = (pair: EncodedPair, at: { readonly step: number; readonly index: number }) => EncodedPair;

/** Undefined if all is off: pairs are then not changed. */
export function augmentation(
  { source, target }: { readonly source: Tokenizer; readonly target: Tokenizer },
  options: AugmentOptions,
): Augment | undefined {
  const { bpeDropout: dropout, noiseCase, noiseTypos, seed } = options;
  for (const [name, rate] of Object.entries({ bpeDropout: dropout, noiseCase, noiseTypos })) {
    if (!(rate >= 0 && rate <= 1)) throw new HeedError('augment', `${name} must be from 0 to 1, got ${rate}.`);
  }
  if (dropout === 0 && noiseCase === 0 && noiseTypos === 0) return undefined;
  return (pair, { step, index }) => {
    const random = Random.of(seed, 'augment', step, index);
    const noisy = noiseCase > 0 || noiseTypos > 0;
    const clean = source.decode(pair.source);
    const text = noisy ? misspell(changeCase(clean, noiseCase, random), noiseTypos, random) : clean;
    return {
      source: Int32Array.of(...leadingControls(pair.source, source), ...source.encode(text, { dropout, random })),
      target: dropout === 0 ? pair.target : target.encode(target.decode(pair.target), { dropout, random }),
    };
  };
}

/** The control tokens that a sequence begins with, such as the one that names the target language. */
function leadingControls(ids: Int32Array, tokenizer: Tokenizer): Int32Array {
  const end = ids.findIndex((id) => !tokenizer.isControl(id));
  return end < 0 ? ids : ids.subarray(0, end);
}
