// The two graphs of decoding: encode a batch once, then take every hypothesis one position further.
// B sentences, W hypotheses of each, L layers, H heads.

import { type KeysAndValues, Transformer, type TransformerConfig } from '../nn/index.ts';
import {
  concatenate,
  type Dim,
  input,
  logSoftmax,
  namedTensors,
  scale,
  sum,
  type Tensor,
  top,
  transpose,
} from '../tensor/index.ts';

/**
 * source [batch, source] → the source mask and each decoder layer's keys and values of the encoder's output. The keys are stored
 * transposed, [batch, H, K, source], since the engine multiplies by such ones faster.
 */
export function encodeGraph(config: TransformerConfig): Record<string, Tensor> {
  const model = new Transformer(config);
  const encoded = model.encode(input('source', 'int32', ['batch', 'source']));
  const outputs: Record<string, Tensor> = { sourceMask: encoded.mask };
  model.memory(encoded).forEach(({ keys, values }, layer) => {
    outputs[memoryKeys(layer)] = transpose(keys);
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
 * The last token of each hypothesis [B, W] → log-probabilities of the next. The hypotheses of a sentence stand side by side as
 * if they were positions of one target: each sees itself and, of the cached keys and values of all of them, those slots
 * that are its own history, by `pastMask` [B, 1, W, slots]. So nothing is moved when beams are re-ordered.
 */
export function stepGraph(config: TransformerConfig, options: StepGraphOptions): Record<string, Tensor> {
  const { tokens, positions, memory, past, pastMask } = stepInputs(config, 'sentences', options.width);
  const { logits, own } = new Transformer(config).continue(tokens, {
    positions,
    sourceMask: input('sourceMask', 'float32', ['sentences', 1, 1, 'source']),
    memory,
    past: past.map((layer) => ({ ...layer, mask: pastMask })),
  });
  return {
    ...candidates(logSoftmax(logits), options.top),
    ...joined(own),
    ...attentionOf(logits, options.attentionLayer),
  };
}

/** What is fed to take W hypotheses of each sentence one position further. */
export function stepInputs({ decoderLayers, heads, dKey, dValue }: TransformerConfig, sentences: Dim, width: number) {
  const layers = Array.from({ length: decoderLayers }, (_, layer) => layer);
  return {
    tokens: input('tokens', 'int32', [sentences, width]),
    positions: input('position', 'int32', [1]),
    memory: layers.map((layer) => ({
      keys: transpose(input(memoryKeys(layer), 'float32', [sentences, heads, dKey, 'source'])),
      values: input(memoryValues(layer), 'float32', [sentences, heads, 'source', dValue]),
    })),
    past: layers.map((layer) => ({
      keys: input(pastKeys(layer), 'float32', [sentences, heads, 'slots', dKey]),
      values: input(pastValues(layer), 'float32', [sentences, heads, 'slots', dValue]),
    })),
    pastMask: input('pastMask', 'float32', [sentences, 1, width, 'slots']),
  };
}

/** Keys [B, L·H, W, K] and values [B, L·H, W, V] of all layers. */
function joined(own: readonly KeysAndValues[]): Record<string, Tensor> {
  return {
    ownKeys: concatenate(
      own.map(({ keys }) => keys),
      1,
    ),
    ownValues: concatenate(
      own.map(({ values }) => values),
      1,
    ),
  };
}

export function pastKeys(layer: number): string {
  return `pastKeys.${layer}`;
}

export function pastValues(layer: number): string {
  return `pastValues.${layer}`;
}

function memoryKeys(layer: number): string {
  return `memoryKeys.${layer}`;
}

function memoryValues(layer: number): string {
  return `memoryValues.${layer}`;
}

export function candidates(logProbabilities: Tensor, count: number | undefined): Record<string, Tensor> {
  if (count === undefined) return { logProbabilities };
  const { values, places } = top(logProbabilities, count);
  return { logProbabilities: values, candidates: places };
}

/** The cross-attention of a layer, averaged over heads: [B, H, W, S] → [B, W, S] */
function attentionOf(logits: Tensor, layer: number | undefined): Record<string, Tensor> {
  if (layer === undefined) return {};
  const weights = namedTensors([logits]).get(`decoder.layers.${layer}.crossAttention.weights`);
  if (weights === undefined) return {};
  return { attention: scale(sum(weights, { axes: [1] }), 1 / Number(weights.shape[1])) };
}
