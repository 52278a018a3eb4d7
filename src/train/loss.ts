// Section 5.4: label-smoothed cross-entropy of the next token, without padding.

import { crossEntropy, multiply, notEqual, outputAt, sum, type Tensor } from '../tensor/index.ts';

export interface LossOptions {
  /** Id of padding in the expected tokens: its positions are ignored. */
  readonly padId: number;
  /** ε of label smoothing: (1 − ε)·gold + ε/V over the whole vocabulary. */
  readonly smoothing: number;
}

export interface Loss {
  /** Sum of the smoothed loss over tokens without padding, a scalar. Divided by their number in the step, it is minimised. */
  readonly total: Tensor;
  /** Sum of −log p(expected) over tokens without padding, a scalar; the exponential of its mean is the perplexity. */
  readonly negativeLogLikelihood: Tensor;
}

/** logits [B, T, V] against the expected next tokens [B, T] */
export function sequenceLoss(logits: Tensor, expected: Tensor, { padId, smoothing }: LossOptions): Loss {
  const isReal = notEqual(expected, padId); // [B, T]
  const smoothed = crossEntropy(logits, expected, smoothing); // [B, T]
  const plain = outputAt(smoothed, 1); // [B, T]
  return { total: sum(multiply(smoothed, isReal)), negativeLogLikelihood: sum(multiply(plain, isReal)) };
}
