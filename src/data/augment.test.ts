import { describe, expect, it } from 'vitest';
import { learnTokenizer, tagFor } from '../text/index.ts';
import { type AugmentOptions, augmentation } from './augment.ts';

const lines = ['the cat sat on the mat', 'the dog ran to the cat', 'a cat and a dog sat'];
const tokenizer = learnTokenizer([...lines, ...lines], { merges: 60, controlTokens: [tagFor('de')] });
const tokenizers = { source: tokenizer, target: tokenizer };
const pair = { source: tokenizer.encode(lines[0]), target: tokenizer.encode(lines[1]) };
const off = { bpeDropout: 0, noiseCase: 0, noiseTypos: 0, seed: 1 };

function of(options: Partial<AugmentOptions>) {
  const augment = augmentation(tokenizers, { ...off, ...options });
  if (augment === undefined) throw new Error('is off');
  return augment;
}

describe('augmentation', () => {
  it('is undefined if all is off', () => {
    expect(augmentation(tokenizers, off)).toBeUndefined();
  });

  it('segments both sides anew, of the same text', () => {
    const augment = of({ bpeDropout: 0.3 });
    const made = Array.from({ length: 20 }, (_, step) => augment(pair, { step, index: 0 }));
    for (const { source, target } of made) {
      expect(tokenizer.decode(source)).toBe(lines[0]);
      expect(tokenizer.decode(target)).toBe(lines[1]);
    }
    expect(new Set(made.map(({ source }) => source.join())).size).toBeGreaterThan(10);
    expect(new Set(made.map(({ target }) => target.join())).size).toBeGreaterThan(10);
  });

  it('is a function of seed, step and index', () => {
    const options = { bpeDropout: 0.3, noiseCase: 0.5, noiseTypos: 0.1 };
    const at = { step: 3, index: 7 };
    expect(of(options)(pair, at)).toEqual(of(options)(pair, at));
    const others = [of({ ...options, seed: 2 })(pair, at), of(options)(pair, { step: 4, index: 7 })];
    for (const other of [...others, of(options)(pair, { step: 3, index: 8 })])
      expect(other).not.toEqual(of(options)(pair, at));
  });

  it('puts noise on the source only', () => {
    const { source, target } = of({ noiseCase: 1, noiseTypos: 0.5 })(pair, { step: 1, index: 1 });
    expect(tokenizer.decode(source)).not.toBe(lines[0]);
    expect(target).toBe(pair.target);
  });

  it('keeps the tag of the target language', () => {
    const tag = tokenizer.controlId('>>de<<');
    const tagged = { ...pair, source: Int32Array.of(tag, ...pair.source) };
    const { source } = of({ bpeDropout: 0.5, noiseTypos: 0.5 })(tagged, { step: 1, index: 1 });
    expect(source[0]).toBe(tag);
    expect([...source].filter((id) => tokenizer.isControl(id))).toEqual([tag]);
  });

  it('refuses invalid rates', () => {
    const name = (options: Partial<AugmentOptions>) => () => of(options);
    expect(name({ bpeDropout: 1.5 })).toThrow('augment: bpeDropout must be from 0 to 1, got 1.5.');
    expect(name({ noiseTypos: -1 })).toThrow('augment: noiseTypos must be from 0 to 1, got -1.');
  });
});
