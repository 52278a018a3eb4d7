// A randomly initialised model with peaked distributions and long, varied outputs, so that a fault in batching, caching or
// scoring changes its outputs.

import { batchLogits, Transformer, type TransformerConfig, transformerConfig } from '../src/architectures/index.ts';
import { Random } from '../src/base/random.ts';
import type { StoredModel } from '../src/model/index.ts';
import { ParameterSet, parametersOf } from '../src/runtime/index.ts';
import { smallTokenizer } from './small-model.ts';

const text =
  'the cat sat on the mat and the dog ran to the man who had 42 hats at 3.50 EUR; größe, naïve, Straße, Köln';

/** The tokenizer of all wordy models. */
export const wordyTokenizer = smallTokenizer(60, text);

export interface WordyModelOptions {
  /** Default 1. */
  readonly seed?: number;
  readonly architecture?: Partial<TransformerConfig>;
}

export function wordyModel({
  seed = 1,
  architecture = {},
}: WordyModelOptions = {}): StoredModel & { readonly config: TransformerConfig } {
  const config = transformerConfig(
    {
      dModel: 24,
      heads: 3,
      dInner: 32,
      encoderLayers: 2,
      decoderLayers: 3,
      embeddings: 'separate',
      positions: 'learned',
      maxPositions: 512,
      ...architecture,
    },
    { sourceVocabularySize: wordyTokenizer.size },
  );
  const parameters = ParameterSet.initialize(parametersOf([batchLogits(new Transformer(config))]), seed);
  makeTalkative(parameters, config);
  return {
    config,
    parameters,
    sourceTokenizer: wordyTokenizer,
    targetTokenizer: wordyTokenizer,
    generation: { beam: 4, lengthPenalty: 'gnmt:0.6', maxLengthExtra: 10 },
    training: {},
    directions: [],
  };
}

/**
 * Learned positions, being random, keep it from saying one word for ever; large output weights peak the
 * distributions, END's most, so that it comes now and then; bytes are made rare.
 */
function makeTalkative({ parameters }: ParameterSet, { dModel }: TransformerConfig): void {
  const { endId } = wordyTokenizer;
  for (const { name, data } of parameters) {
    const factor = factors.find(([part]) => name.includes(part))?.[1] ?? 1;
    for (let i = 0; i < data.length; i++) data[i] *= factor;
    if (name !== 'output.weight') continue;
    for (const [i, value] of data.entries()) {
      const id = Math.floor(i / dModel);
      const isByte = wordyTokenizer.pieces([id])[0].startsWith('<0x');
      data[i] = value * (id === endId ? 8 : isByte ? 3 : 5);
    }
  }
}

/** By the first that a name includes. */
const factors: readonly (readonly [part: string, factor: number])[] = [
  ['feedForward.', 0.4],
  ['Attention.query', 3],
  ['Attention.key', 3],
  ['decoder.positions', 6],
  ['targetEmbedding', 1.5],
];

const words = [
  ...['the', 'cat', 'dog', 'mat', 'sat', 'ran', 'and', 'to', 'who', 'had', 'hats', 'größe', 'naïve', 'Köln'],
  ...[
    '1,234.56',
    '€5.00',
    '$3',
    '42',
    '3.50 EUR',
    'HELLO',
    '?',
    '-',
    'https://a.b/c?d=1',
    '東京',
    '(x_y)',
    'é',
    '%1$s',
  ],
];

/** Lines of 1 to 60 words: short ones, currencies, numbers, signs, other scripts. */
export function wordyLines(count: number, seed: number): string[] {
  return Array.from({ length: count }, (_, line) => {
    const random = Random.of(seed, 'line', line);
    const length = line % 3 === 0 ? 1 + random.integer(3) : 1 + random.integer(60);
    return Array.from({ length }, () => random.pick(words)).join(' ');
  });
}
