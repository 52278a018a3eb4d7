// The training graph: from ids to the loss.

import { parametersOf } from '../runtime/index.ts';
import { input, type Tensor } from '../tensor/index.ts';
import { type Loss, type LossOptions, sequenceLoss } from './loss.ts';

export interface TrainingGraph {
  readonly loss: Loss;
  /** [batch, target, vocabulary] */
  readonly logits: Tensor;
  readonly parameters: readonly Tensor[];
  /** Id of padding in the expected tokens: its positions are ignored. */
  readonly padId: number;
}

/**
 * The loss of a model against the input `expected`, int32 [batch, target]. Nothing is computed yet.
 * @param logits float32 [batch, target, vocabulary]
 */
export function trainingGraph(logits: Tensor, { padId, smoothing }: LossOptions): TrainingGraph {
  const expected = input('expected', 'int32', ['batch', 'target']);
  const loss = sequenceLoss(logits, expected, { padId, smoothing });
  return { loss, logits, padId, parameters: parametersOf([loss.total]) };
}
