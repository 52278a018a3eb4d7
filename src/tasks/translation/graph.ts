// The graph that a translation model is trained by. The one place of this task that knows the architecture.

import { batchInputs, Transformer, type TransformerConfig } from '../../nn/index.ts';
import { type TrainingGraph, trainingGraph } from '../../train/index.ts';

/** Source, target and expected ids → loss. @param smoothing ε of label smoothing */
export function translationGraph(config: TransformerConfig, smoothing: number): TrainingGraph {
  const { source, target } = batchInputs();
  const logits = new Transformer(config).apply(source, target); // [batch, target, V]
  return trainingGraph(logits, { padId: config.targetPadId, smoothing });
}
