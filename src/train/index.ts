// Training: loss, optimizer, schedules, the step, the loop.

export { Adam, type AdamOptions, paperAdam } from './adam.ts';
export { learningRate, type ScheduleOptions } from './schedule.ts';
export { TrainingStep, trainingGraph } from './step.ts';
