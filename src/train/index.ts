// Training: loss, optimizer, schedules, the step, the loop.

export { Adam, type StartAdamHelper } from './adam.ts';
export { type AdamOptions, paperAdam } from './adam-rule.ts';
export { BatchSource, type BatchSourceSetup } from './batch-source.ts';
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
export { GradientSum } from './gradient-sum.ts';
export { changeableOptions, checkOptions, type TrainingOptions, trainingOptions } from './options.ts';
export { type RunFiles, runFiles } from './run-files.ts';
export { learningRate, type ScheduleOptions } from './schedule.ts';
export type { TrainingState } from './state.ts';
export { TrainingStep, trainingGraph } from './step.ts';
export type { TrainingStore } from './store.ts';
export { type HeldOutTranslations, type Outcome, type Progress, Trainer, type TrainerSetup } from './trainer.ts';
export { Validation, type ValidationResult } from './validation.ts';
