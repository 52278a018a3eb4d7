// Options of training; their descriptions are what --help, the configuration file and the docs print.

import { z } from 'zod';
import { HeedError } from '../base/error.ts';

const count = () => z.int().positive();
const countOrZero = () => z.int().min(0);

export const trainingOptions = z.strictObject({
  epochs: count().optional().describe('Passes over the corpus; default: until --steps or early stopping.'),
  steps: count().optional().describe('Maximum number of updates of the weights.'),
  maxTokens: count().default(4096).describe('Maximum number of tokens of a batch on either side, padding included.'),
  accumulate: count().default(1).describe('Batches whose gradients are summed for one update.'),
  schedule: z
    .enum(['paper', 'inverse-sqrt', 'linear', 'constant'])
    .default('paper')
    .describe(
      'Learning-rate schedule: the paper’s formula; its shape with the given peakRate; linear down to zero at decaySteps; or constant after the warm-up.',
    ),
  peakRate: z.number().positive().default(7e-4).describe('Learning rate at the end of the warm-up (not for paper).'),
  warmupSteps: countOrZero().default(4000).describe('Updates during which the learning rate grows.'),
  decaySteps: count().optional().describe('The update at which the linear schedule reaches zero (only for linear).'),
  labelSmoothing: z.number().min(0).lt(1).default(0.1).describe('ε of label smoothing.'),
  clipNorm: z.number().min(0).default(0).describe('Largest norm of the gradient; 0: no clipping (the paper).'),
  adamBeta1: z.number().min(0).lt(1).default(0.9).describe('Decay of Adam’s first moment.'),
  adamBeta2: z.number().min(0).lt(1).default(0.98).describe('Decay of Adam’s second moment.'),
  adamEpsilon: z.number().positive().default(1e-9).describe('ε of Adam, added to the root of the second moment.'),
  validateEvery: countOrZero().default(0).describe('Updates between validations; 0: after each epoch.'),
  patience: countOrZero().default(0).describe('Validations without improvement before training stops; 0: never.'),
  bestBy: z.enum(['loss', 'bleu']).default('loss').describe('Criterion for the best checkpoint.'),
  averageLast: count().default(1).describe('Checkpoints averaged at the end; 1: no averaging, the best one is kept.'),
  logEvery: count().default(50).describe('Updates between reports.'),
  saveEvery: countOrZero()
    .default(1000)
    .describe('Updates between saves of the run, besides those at validations; a crash loses at most these. 0: none.'),
  seed: z
    .int()
    .min(0)
    .default(1)
    .describe('Seed of every random choice: initial weights, order of the batches, dropout.'),
  threads: count().optional().describe('Threads of the engine; default: all cores.'),
});

/**
 * Options that may change when a run is resumed. The result is the same, bit for bit, as if they had been set from the start,
 * except that another number of `threads` may change the order of additions.
 */
export const changeableOptions = ['epochs', 'steps', 'patience', 'saveEvery', 'threads'] as const;

export type TrainingOptions = z.output<typeof trainingOptions>;

/** @throws HeedError if a run with these options would never end, or needs validation text that it lacks */
export function checkOptions(options: TrainingOptions, { hasValidation }: { readonly hasValidation: boolean }): void {
  const { epochs, steps, patience, schedule, warmupSteps, decaySteps } = options;
  if (epochs === undefined && steps === undefined && patience === 0) {
    throw new HeedError('train', 'needs an end: give epochs, steps or patience.');
  }
  if (patience > 0 && !hasValidation) {
    throw new HeedError('train', 'patience needs validation data; give some, or leave out patience.');
  }
  if ((schedule === 'linear') !== (decaySteps !== undefined)) {
    throw new HeedError('train', 'the schedule linear needs decaySteps, and no other schedule has them.');
  }
  if (decaySteps !== undefined && decaySteps <= warmupSteps) {
    throw new HeedError('train', `decaySteps (${decaySteps}) must come after warmupSteps (${warmupSteps}).`);
  }
}
