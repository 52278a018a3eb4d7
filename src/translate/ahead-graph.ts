// The graph that goes several positions ahead in one run: for a sentence that is alone, the search's own loop.
// W hypotheses, P slots, C candidates of each hypothesis, L layers, H heads, K and V widths of a head's keys and values.

import {
  type DecoderContext,
  joined,
  type KeysAndValues,
  ownMask,
  Transformer,
  type TransformerConfig,
} from '../nn/index.ts';
import type { LoopGraph } from '../runtime/index.ts';
import {
  add,
  concatenate,
  constant,
  constantIds,
  gather,
  input,
  logSoftmax,
  reshape,
  type Tensor,
} from '../tensor/index.ts';
import { beamChoice, greedyChoice, LOWEST } from './choices.ts';
import { candidates, memoryAsStored, stepInputs } from './graphs.ts';

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
   * What a step answers; and of several hypotheses the choice that the search is expected to make, `nextTokens` and `parents` [1, W].
   * The results are the cache after the last round, `keys` [L, H, P, K] and `values` [L, H, P, V].
   */
  readonly outputs: Record<string, Tensor>;
  readonly loop: LoopGraph;
}

/** A step as `stepGraph` has it for one sentence, over and over until the search would stop. */
export function aheadGraph(config: TransformerConfig, options: AheadGraphOptions): AheadGraph {
  const { width, from } = options;
  const model = new Transformer(config);
  const inputs = stepInputs(config, 1, width);
  const past = inputs.context.past.map((_, layer) => soFar(config, layer));
  const context = { ...inputs.context, ...(from === 'source' ? encodedSource(model) : {}), past };
  const { logits, own } = model.continue(inputs.tokens, context);
  const answer = candidates(logSoftmax(logits), options.top); // [1, W, C]
  const { positions, targetMask } = context;
  const { nextTokens, parents, goesOn, carried } =
    width === 1 ? greedyChoice(answer, options) : beamChoice(answer, positions, options);
  return {
    outputs: { ...answer, ...(parents === undefined ? {} : { nextTokens, parents }) },
    loop: {
      condition: goesOn,
      results: allLayers(past),
      initial: {
        ...cacheAsCarried(from === 'source' ? nothing(config) : inputs.context.past),
        ...(from === 'source' ? start(options) : {}),
      },
      carried: {
        tokens: nextTokens,
        position: add(positions, constantIds([1], [1])),
        ...(targetMask === undefined || parents === undefined ? {} : { mask: maskAfter(targetMask, parents) }),
        ...cacheAsCarried(past.map((layer, i) => joined(layer, own[i]))),
        ...carried,
      },
    },
  };
}

/** What the decoder needs of the source, encoded in the same run. */
function encodedSource(model: Transformer): Pick<DecoderContext, 'sourceMask' | 'memory'> {
  const encoded = model.encode(input('source', 'int32', [1, 'source']));
  return { sourceMask: encoded.mask, memory: memoryAsStored(model, encoded) };
}

/** Keys and values that are cached when a round begins: [1, H, P, K] and [1, H, P, V] */
function soFar({ heads, dKey, dValue }: TransformerConfig, layer: number): KeysAndValues {
  const cached = (name: string, size: number) => input(name, 'float32', [1, heads, 'slots', size]);
  return { keys: cached(keysSoFar(layer), dKey), values: cached(valuesSoFar(layer), dValue) };
}

function cacheAsCarried(layers: readonly KeysAndValues[]): Record<string, Tensor> {
  const entries = layers.flatMap(({ keys, values }, layer) => [
    [keysSoFar(layer), keys] as const,
    [valuesSoFar(layer), values] as const,
  ]);
  return Object.fromEntries(entries);
}

function allLayers(layers: readonly KeysAndValues[]): Record<string, Tensor> {
  const all = (part: keyof KeysAndValues) =>
    concatenate(
      layers.map((layer) => layer[part]),
      0,
    );
  return { keys: all('keys'), values: all('values') };
}

function keysSoFar(layer: number): string {
  return `keysSoFar.${layer}`;
}

function valuesSoFar(layer: number): string {
  return `valuesSoFar.${layer}`;
}

/** What the next hypotheses may look at, [1, 1, W, P] → [1, 1, W, P + W]: what their parents might, and themselves. */
function maskAfter(mask: Tensor, parents: Tensor): Tensor {
  const [, , width, slots] = mask.shape;
  const ofParents = gather(reshape(mask, [width, slots]), reshape(parents, [1, 1, width]));
  return concatenate([ofParents, ownMask(Number(width))], -1);
}

/** The cache of a search's first step. */
function nothing({ decoderLayers, heads, dKey, dValue }: TransformerConfig): KeysAndValues[] {
  const none = (size: number) => constant([1, heads, 0, size], []);
  return Array.from({ length: decoderLayers }, () => ({ keys: none(dKey), values: none(dValue) }));
}

/** A search's first step: of W equal hypotheses only the first counts. */
function start({ width, startId }: AheadGraphOptions): Record<string, Tensor> {
  const totals = Array.from({ length: width }, (_, row) => (row === 0 ? 0 : LOWEST));
  return {
    tokens: constantIds([1, width], new Array<number>(width).fill(startId)),
    position: constantIds([1], [0]),
    ...(width === 1
      ? {}
      : {
          mask: ownMask(width),
          ...{ totals: constant([1, width, 1], totals), threshold: constant([1], [LOWEST]) },
        }),
  };
}
