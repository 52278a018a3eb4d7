// Training: loss, optimizer, schedules, the step, the loop.

export { Adam, type StartAdamHelper } from './adam.ts';
export { type AdamOptions, paperAdam } from './adam-rule.ts';
export type { Batches, Epoch, TrainingBatch } from './batches.ts';
export { FolderStore } from './checkpoint.ts';
export {
  type EpochEvent,
  type SpeedRecord,
  type StepEvent,
  type StopEvent,
  speedRecord,
  stepEvent,
  stopEvent,
  type TrainingEvent,
  type TranslationSample,
  trainingEvent,
  type ValidationEvent,
  validationEvent,
} from './events.ts';
export { GradientSum } from './gradients/gradient-sum.ts';
export { type TrainingGraph, trainingGraph } from './graph.ts';
export { type Loss, type LossOptions, sequenceLoss } from './loss.ts';
export { changeableOptions, checkOptions, type TrainingOptions, trainingOptions } from './options.ts';
export { type RunFiles, runFiles } from './run-files.ts';
export { learningRate, type ScheduleOptions } from './schedule.ts';
export type { TrainingState } from './state.ts';
export { TrainingStep } from './step.ts';
export type { TrainingStore } from './store.ts';
export { type Outcome, type Progress, type TaskMetrics, Trainer, type TrainerSetup } from './trainer.ts';
export { Validation, type ValidationResult, type ValidationSetup } from './validation.ts';
