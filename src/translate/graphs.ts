// The two graphs of decoding: encode a batch once, then take every hypothesis one position further.
// B sentences, W hypotheses of each, R = B·W rows, P positions cached, L layers, H heads.

import { type KeysAndValues, Transformer, type TransformerConfig } from '../nn/index.ts';
import {
  add,
  concatenate,
  constantIds,
  type Dim,
  gather,
  input,
  insertAxis,
  logSoftmax,
  multiply,
  namedTensors,
  productOf,
  reshape,
  scale,
  sum,
  type Tensor,
  top,
} from '../tensor/index.ts';

/** source [batch, source] → the source mask and each decoder layer's keys and values of the encoder's output. */
export function encodeGraph(config: TransformerConfig): Record<string, Tensor> {
  const model = new Transformer(config);
  const encoded = model.encode(input('source', 'int32', ['batch', 'source']));
  const outputs: Record<string, Tensor> = { sourceMask: encoded.mask };
  model.memory(encoded).forEach(({ keys, values }, layer) => {
    outputs[memoryKeys(layer)] = keys;
    outputs[memoryValues(layer)] = values;
  });
  return outputs;
}

export interface StepGraphOptions {
  /** W, hypotheses a sentence. */
  readonly width: number;
  /** Return only the best so many log-probabilities of each row, and their tokens; undefined: all. */
  readonly top: number | undefined;
  /** The decoder layer whose cross-attention is returned, averaged over its heads; undefined: none. */
  readonly attentionLayer: number | undefined;
}

/**
 * The last token of each row [R, 1] → log-probabilities of the next. Cached keys and values lie in slots, one for each
 * row and step so far, in the order they were computed, all layers and heads side by side; `past` [R, P] says which slots
 * a row's history is. So beams are re-ordered, and finished sentences dropped, by indices alone.
 */
export function stepGraph(config: TransformerConfig, options: StepGraphOptions): Record<string, Tensor> {
  const { decoderLayers, heads, dKey, dValue } = config;
  const rows = productOf([options.width, 'sentences']);
  const layers = Array.from({ length: decoderLayers }, (_, layer) => layer);
  const keys = input('slotKeys', 'float32', ['slots', decoderLayers * heads, dKey]);
  const values = input('slotValues', 'float32', ['slots', decoderLayers * heads, dValue]);
  const past = input('past', 'int32', [rows, 'past']);

  const model = new Transformer(config);
  const { logits, own } = model.continue(input('tokens', 'int32', [rows, 1]), {
    positions: input('position', 'int32', [1]),
    targetMask: undefined,
    sourceMask: input('sourceMask', 'float32', ['sentences', 1, 1, 'source']),
    memory: layers.map((layer) => ({
      keys: input(memoryKeys(layer), 'float32', ['sentences', heads, 'source', dKey]),
      values: input(memoryValues(layer), 'float32', ['sentences', heads, 'source', dValue]),
    })),
    past: layers.map((layer) => cached({ keys, values }, past, layer * heads, heads)),
  });

  return {
    ...candidates(logSoftmax(logits), rows, options.top), // [R, 1, V] → [R, top] or [R, V]
    ownKeys: sideBySide(own.map((layer) => layer.keys)), // [R, L·H, K]
    ownValues: sideBySide(own.map((layer) => layer.values)), // [R, L·H, V]
    ...attentionOf(logits, options.attentionLayer),
  };
}

function memoryKeys(layer: number): string {
  return `memoryKeys.${layer}`;
}

function memoryValues(layer: number): string {
  return `memoryValues.${layer}`;
}

/** One layer's keys and values of each row's history, [R, H, P, K], gathered from slots [slots, L·H, K]. */
function cached(slots: KeysAndValues, past: Tensor, firstHead: number, heads: number): KeysAndValues {
  const [, perSlot] = slots.keys.shape;
  const head = constantIds(
    [heads, 1],
    Array.from({ length: heads }, (_, h) => firstHead + h),
  );
  const first = multiply(insertAxis(past, 1), constantIds([1], [Number(perSlot)])); // [R, 1, P]
  const places = add(first, head); // [R, H, P]
  return { keys: gather(eachHead(slots.keys), places), values: gather(eachHead(slots.values), places) };
}

/** [slots, L·H, K] → [slots·L·H, K] */
function eachHead(slots: Tensor): Tensor {
  return reshape(slots, [productOf(slots.shape.slice(0, 2)), slots.shape[2]]);
}

/** Each layer's [R, H, 1, K] → [R, L·H, K] */
function sideBySide(layers: readonly Tensor[]): Tensor {
  const joined = concatenate(layers, 1); // [R, L·H, 1, K]
  return reshape(joined, [joined.shape[0], joined.shape[1], joined.shape[3]]);
}

function candidates(logProbabilities: Tensor, rows: Dim, count: number | undefined): Record<string, Tensor> {
  const flat = reshape(logProbabilities, [rows, logProbabilities.shape[2]]);
  if (count === undefined) return { logProbabilities: flat };
  const { values, places } = top(flat, count);
  return { logProbabilities: values, candidates: places };
}

/** The cross-attention of a layer, averaged over heads: [B, H, W, S] → [B, W, S] */
function attentionOf(logits: Tensor, layer: number | undefined): Record<string, Tensor> {
  if (layer === undefined) return {};
  const weights = namedTensors([logits]).get(`decoder.layers.${layer}.crossAttention.weights`);
  if (weights === undefined) return {};
  return { attention: scale(sum(weights, { axes: [1] }), 1 / Number(weights.shape[1])) };
}
