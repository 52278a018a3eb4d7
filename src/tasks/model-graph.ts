// The graph that a model is trained by, of whatever architecture.

import { batchLogits, type SequenceModel } from '../architectures/index.ts';
import { type TrainingGraph, trainingGraph } from '../train/index.ts';

/**
 * Source if the model has one, target and expected ids → loss.
 * @param model with dropout for training, without for validation
 * @param smoothing ε of label smoothing
 */
export function modelGraph(model: SequenceModel, smoothing: number): TrainingGraph {
  return trainingGraph(batchLogits(model), { padId: model.vocabulary.target.padId, smoothing });
}
