// The graph that goes several positions ahead in one run: for a sentence that is alone, the search's own loop.
// W hypotheses, P slots, C candidates of each hypothesis, L layers, H heads, K and V widths of a head's keys and values.

import { type KeysAndValues, ownMask, Transformer, type TransformerConfig } from '../nn/index.ts';
import type { Repetition } from '../runtime/index.ts';
import {
  add,
  concatenate,
  constant,
  constantIds,
  gather,
  input,
  logSoftmax,
  permute,
  reshape,
  type Tensor,
} from '../tensor/index.ts';
import { beamChoice, greedyChoice, LOWEST } from './choices.ts';
import { candidates, pastKeys, pastValues, stepInputs } from './graphs.ts';

export interface AheadGraphOptions {
  /** W. With 1 the search is greedy: it takes the best candidate, END as well. */
  readonly width: number;
  /** C, candidates that a step answers. */
  readonly top: number;
  readonly startId: number;
  readonly endId: number;
  /**
   * source: the sentence is encoded, too, and decoded from its start, so that a run does all. cache: from what is encoded and cached,
   * as `stepGraph`.
   */
  readonly from: 'source' | 'cache';
}

export interface AheadGraph {
  /**
   * What a step answers; `own`, keys and values of each row layer by layer [1, W, L · (H·K + H·V)]; and of several hypotheses the choice
   * that the search is expected to make, `nextTokens` and `parents` [1, W].
   */
  readonly outputs: Record<string, Tensor>;
  readonly repetition: Repetition;
}

/** A step as `stepGraph` has it for one sentence, over and over until the search would stop. */
export function aheadGraph(config: TransformerConfig, options: AheadGraphOptions): AheadGraph {
  const { width, from } = options;
  const model = new Transformer(config);
  const hasMask = width > 1 || from === 'cache'; // else every slot is the hypothesis' own
  const { tokens, positions, memory, past, pastMask } = stepInputs(config, 1, width);
  const source = input('source', 'int32', [1, 'source']);
  const { logits, own } = model.continue(tokens, {
    positions,
    memory: from === 'source' ? model.memory(model.encode(source)) : memory, // without a mask: there is no padding
    past: past.map((layer) => ({ ...layer, mask: hasMask ? pastMask : undefined })),
  });
  const answer = candidates(logSoftmax(logits), options.top); // [1, W, C]
  const { nextTokens, parents, goesOn, carried } =
    width === 1 ? greedyChoice(answer, options) : beamChoice(answer, positions, options);
  const longer = past.flatMap(({ keys, values }, layer) => [
    [pastKeys(layer), concatenate([keys, own[layer].keys], 2)] as const, // [1, H, P + W, K]
    [pastValues(layer), concatenate([values, own[layer].values], 2)] as const,
  ]);
  return {
    outputs: { ...answer, own: rowsOf(own), ...(parents === undefined ? {} : { nextTokens, parents }) },
    repetition: {
      goesOn,
      ...(from === 'source' ? { initial: start(config, options) } : {}),
      carried: {
        tokens: nextTokens,
        position: add(positions, constantIds([1], [1])),
        ...(hasMask ? { pastMask: maskAfter(pastMask, parents, width) } : {}),
        ...Object.fromEntries(longer),
        ...carried,
      },
    },
  };
}

/** The histories of the parents, to which each has added its own slot: [1, 1, W, P + W] */
function maskAfter(pastMask: Tensor, parents: Tensor | undefined, width: number): Tensor {
  const longer = concatenate([pastMask, ownMask(width)], -1);
  if (parents === undefined) return longer;
  const [, , , slots] = longer.shape;
  return gather(reshape(longer, [width, slots]), reshape(parents, [1, 1, width]));
}

/** Keys and values of a step as the products have them, row by row. */
function rowsOf(own: readonly KeysAndValues[]): Tensor {
  const rows = own
    .flatMap(({ keys, values }) => [keys, values])
    .map((x) => {
      const [, heads, width, size] = x.shape.map(Number);
      return reshape(permute(x, [0, 2, 1, 3]), [1, width, heads * size]);
    });
  return concatenate(rows, -1);
}

/** A search's first step: nothing is cached, and of W equal hypotheses only the first counts. */
function start({ decoderLayers, heads, dKey, dValue }: TransformerConfig, { width, startId }: AheadGraphOptions) {
  const layers = Array.from({ length: decoderLayers }, (_, layer) => layer);
  const nothing = (size: number) => constant([1, heads, 0, size], []);
  const totals = Array.from({ length: width }, (_, row) => (row === 0 ? 0 : LOWEST));
  return {
    tokens: constantIds([1, width], new Array<number>(width).fill(startId)),
    position: constantIds([1], [0]),
    ...Object.fromEntries(layers.map((layer) => [pastKeys(layer), nothing(dKey)])),
    ...Object.fromEntries(layers.map((layer) => [pastValues(layer), nothing(dValue)])),
    ...(width === 1
      ? {}
      : {
          pastMask: constant([1, 1, width, 0], []),
          ...{ totals: constant([1, width, 1], totals), threshold: constant([1], [LOWEST]) },
        }),
  };
}
