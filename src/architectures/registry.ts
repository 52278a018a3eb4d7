// The architectures by kind, as config.json names them.

import { Registry } from '../base/registry.ts';
import { input, type Tensor } from '../tensor/index.ts';
import type { Architecture, ArchitectureConfig, SequenceModel } from './architecture.ts';
import { decoderOnly } from './decoder-only.ts';
import { encoderDecoder } from './encoder-decoder.ts';

export const architectures = new Registry<Architecture>('architecture');

/** Registers an architecture for training, saving, loading and decoding. @throws HeedError if its kind is taken */
export function registerArchitecture<C extends ArchitectureConfig>(architecture: Architecture<C>): void {
  // The configuration comes from `complete` of the same entry.
  architectures.register(architecture.kind, architecture as unknown as Architecture);
}

registerArchitecture(encoderDecoder);
registerArchitecture(decoderOnly);

export interface BuildOptions {
  /** Whether dropout is part of the graph, as in training. Default false. */
  readonly dropout?: boolean;
}

/** The model of a configuration. @throws HeedError for an unknown kind */
export function buildModel(config: ArchitectureConfig, { dropout = false }: BuildOptions = {}): SequenceModel {
  const architecture = architectures.get(config.kind);
  return architecture.build(dropout ? config : architecture.withoutDropout(config));
}

/** Inputs of a batch: source [batch, source], unless the model has none, and target [batch, target], int32. */
export function batchInputs(): { source: Tensor; target: Tensor } {
  return {
    source: input('source', 'int32', ['batch', 'source']),
    target: input('target', 'int32', ['batch', 'target']),
  };
}

/** Logits [batch, target, V] of a whole batch by teacher forcing. This graph contains every parameter. */
export function batchLogits(model: SequenceModel): Tensor {
  const { source, target } = batchInputs();
  return model.logits(target, model.encode?.(source) ?? {});
}
