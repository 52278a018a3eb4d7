// The two graphs of decoding: one encodes a batch, the other advances every hypothesis by one position.
// B sentences, W hypotheses of each, P slots.

import type { SequenceModel, StepContext } from '../architectures/index.ts';
import { input, logSoftmax, namedTensors, scale, sum, type Tensor, top } from '../tensor/index.ts';
import { appendedRows, appendGroups, readState, replacedStates, type StepSize, storedFixed } from './state-layout.ts';

/** source [batch, source] → the model's fixed states, as they are stored for W hypotheses a sentence. */
export function encodeGraph(model: SequenceModel, width: number): Record<string, Tensor> {
  const encoded = model.encode?.(input('source', 'int32', ['batch', 'source'])) ?? {};
  const fixed = model.states.filter(({ kind }) => kind === 'fixed');
  return Object.fromEntries(fixed.map((spec) => [spec.name, storedFixed(spec, encoded[spec.name], width)]));
}

export interface StepGraphOptions {
  /** W, hypotheses per sentence. */
  readonly width: number;
  /** How many of the best log-probabilities of each row are returned, with their tokens; undefined: all. */
  readonly top: number | undefined;
  /** The decoder layer whose cross-attention is returned, averaged over heads; undefined: none. */
  readonly attentionLayer: number | undefined;
}

/**
 * The last token of each hypothesis [B, W] → log-probabilities of the next. The hypotheses of a sentence are treated as
 * if they were positions of one target: each sees itself and, of the positions of all of them, those slots that are its own
 * history, by `mask` [B, 1, W, P + W]. So nothing is moved when beams are re-ordered. A single hypothesis sees all slots, and
 * has no mask.
 */
export function stepGraph(model: SequenceModel, options: StepGraphOptions): Record<string, Tensor> {
  const { tokens, context } = stepInputs(model, { sentences: 'sentences', width: options.width });
  const { logits, states } = model.step(tokens, context);
  return {
    ...candidates(logSoftmax(logits), options.top),
    ...appendedRows(appendGroups(model.states), states),
    ...replacedStates(model.states, states),
    ...attentionOf(logits, options.attentionLayer),
  };
}

/** The inputs of a step of W hypotheses per sentence. */
export function stepInputs(model: SequenceModel, size: StepSize): { tokens: Tensor; context: StepContext } {
  const { sentences, width } = size;
  const context = {
    at: input('position', 'int32', [1]),
    keysAt: input('keyPositions', 'int32', [`slots+${width}`]),
    mask: width === 1 ? undefined : input('mask', 'float32', [sentences, 1, width, `slots+${width}`]),
    states: Object.fromEntries(model.states.map((spec) => [spec.name, readState(spec, size)])),
  };
  return { tokens: input('tokens', 'int32', [sentences, width]), context };
}

/** The best `count` log-probabilities of each row and their tokens; if undefined all of them, in order of ids. */
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
