// The graph that goes several positions ahead in one run: for a sentence that is alone, greedy search's own loop. P slots.

import { Transformer, type TransformerConfig } from '../nn/index.ts';
import type { Repetition } from '../runtime/index.ts';
import {
  add,
  concatenate,
  constant,
  constantIds,
  differs,
  logSoftmax,
  reshape,
  slice,
  type Tensor,
} from '../tensor/index.ts';
import { candidates, joined, pastKeys, pastValues, stepInputs } from './graphs.ts';

export interface AheadGraphOptions {
  /** Candidates that a step answers. */
  readonly top: number;
  readonly endId: number;
}

export interface AheadGraph {
  /** What a step answers, and `nextToken` [1, 1], which greedy search feeds to the next. */
  readonly outputs: Record<string, Tensor>;
  readonly repetition: Repetition;
}

/** A step as `stepGraph` has it for one hypothesis of one sentence, over and over until END is the most probable token. */
export function aheadGraph(config: TransformerConfig, { top: count, endId }: AheadGraphOptions): AheadGraph {
  const { tokens, positions, memory, past, pastMask } = stepInputs(config, 1, 1);
  const { logits, own } = new Transformer(config).continue(tokens, {
    positions,
    memory, // without a mask: there is no padding
    past: past.map((layer) => ({ ...layer, mask: pastMask })),
  });
  const answer = candidates(logSoftmax(logits), count); // [1, 1, count]
  const nextToken = reshape(slice(answer.candidates, { axis: -1, start: 0, end: 1 }), [1, 1]);
  const longer = past.flatMap(({ keys, values }, layer) => [
    [pastKeys(layer), concatenate([keys, own[layer].keys], 2)] as const, // [1, H, P + 1, K]
    [pastValues(layer), concatenate([values, own[layer].values], 2)] as const,
  ]);
  return {
    outputs: { ...answer, ...joined(own), nextToken },
    repetition: {
      goesOn: differs(nextToken, endId),
      carried: {
        tokens: nextToken,
        position: add(positions, constantIds([1], [1])),
        pastMask: concatenate([pastMask, constant([1, 1, 1, 1], [1])], -1),
        ...Object.fromEntries(longer),
      },
    },
  };
}
