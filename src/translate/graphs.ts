// The two graphs of decoding: encode a batch once, then take every hypothesis one position further.
// B sentences, W hypotheses of each, L layers, H heads.

import { type Encoded, type KeysAndValues, Transformer, type TransformerConfig } from '../nn/index.ts';
import {
  concatenate,
  type Dim,
  input,
  logSoftmax,
  namedTensors,
  permute,
  reshape,
  scale,
  sum,
  type Tensor,
  top,
  transpose,
} from '../tensor/index.ts';

/** source [batch, source] → the source mask and what each decoder layer needs of the encoder's output, for W hypotheses a sentence. */
export function encodeGraph(config: TransformerConfig, width: number): Record<string, Tensor> {
  const model = new Transformer(config);
  const encoded = model.encode(input('source', 'int32', ['batch', 'source']));
  const outputs: Record<string, Tensor> = { sourceMask: encoded.mask };
  model.memory(encoded).forEach(({ keys, values }, layer) => {
    const stored = storedKeys(keys, config);
    outputs[memoryKeys(layer)] = width === 1 ? stored : transpose(stored);
    outputs[memoryValues(layer)] = values;
  });
  return outputs;
}

/**
 * The keys of the encoder's output are stored divided by √K, so that products with them need not be. For several hypotheses
 * they are stored transposed, [batch, H, K, source]: the engine is faster so, with one query slower.
 */
function storedKeys(keys: Tensor, { dKey }: TransformerConfig): Tensor {
  return scale(keys, 1 / Math.sqrt(dKey));
}

function keysStoredAs(stored: Tensor, { dKey }: TransformerConfig): Tensor {
  return scale(stored, Math.sqrt(dKey));
}

/** The memory of a source that is encoded in the same graph, as steps of decoding have it: keys as if they had been stored. */
export function memoryAsStored(model: Transformer, encoded: Encoded): KeysAndValues[] {
  const { config } = model;
  return model.memory(encoded).map(({ keys, values }) => {
    return { keys: keysStoredAs(storedKeys(keys, config), config), values };
  });
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
 * that are its own history, by `mask` [B, 1, W, slots + W]. So nothing is moved when beams are re-ordered. A single hypothesis
 * sees all slots, and has no mask.
 */
export function stepGraph(config: TransformerConfig, options: StepGraphOptions): Record<string, Tensor> {
  const { tokens, context } = stepInputs(config, 'sentences', options.width);
  const { logits, own } = new Transformer(config).continue(tokens, context);
  return {
    ...candidates(logSoftmax(logits), options.top),
    ...rowsToCache(own),
    ...attentionOf(logits, options.attentionLayer),
  };
}

/** What is fed to take W hypotheses of each sentence one position further. */
export function stepInputs(config: TransformerConfig, sentences: Dim, width: number) {
  const { decoderLayers, heads, dKey, dValue } = config;
  const layers = Array.from({ length: decoderLayers }, (_, layer) => layer);
  const cached = (name: string, size: number) =>
    permute(input(name, 'float32', ['slots', sentences, heads, size]), [1, 2, 0, 3]);
  const stored = (name: string) =>
    width === 1
      ? input(name, 'float32', [sentences, heads, 'source', dKey])
      : transpose(input(name, 'float32', [sentences, heads, dKey, 'source']));
  const context = {
    positions: input('position', 'int32', [1]),
    targetMask: width === 1 ? undefined : input('mask', 'float32', [sentences, 1, width, `slots+${width}`]),
    sourceMask: input('sourceMask', 'float32', [sentences, 1, 1, 'source']),
    memory: layers.map((layer) => ({
      keys: keysStoredAs(stored(memoryKeys(layer)), config),
      values: input(memoryValues(layer), 'float32', [sentences, heads, 'source', dValue]),
    })),
    past: layers.map((layer) => ({ keys: cached(pastKeys(layer), dKey), values: cached(pastValues(layer), dValue) })),
  };
  return { tokens: input('tokens', 'int32', [sentences, width]), context };
}

/** What the cache takes of a step: keys [L·W, B, H·K] and values [L·W, B, H·V], layer by layer. */
function rowsToCache(own: readonly KeysAndValues[]): Record<string, Tensor> {
  const rows = (x: Tensor) => {
    const [sentences, heads, width, size] = x.shape;
    return reshape(permute(x, [2, 0, 1, 3]), [width, sentences, Number(heads) * Number(size)]);
  };
  const [keys, values] = [own.map((layer) => rows(layer.keys)), own.map((layer) => rows(layer.values))];
  return { ownKeys: concatenate(keys, 0), ownValues: concatenate(values, 0) };
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
