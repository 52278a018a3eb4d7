// What training tells: plain records, one a line in events.jsonl. They hold no time of day and no speed, so that a run
// stopped and resumed writes the same lines as one never stopped.

export interface StepEvent {
  readonly kind: 'step';
  readonly step: number;
  readonly epoch: number;
  /** Means per target token since the last step event: with label smoothing, and without. */
  readonly loss: number;
  readonly negativeLogLikelihood: number;
  readonly learningRate: number;
  /** Target tokens since the last step event. */
  readonly targetTokens: number;
}

export interface EpochEvent {
  readonly kind: 'epoch';
  readonly step: number;
  readonly epoch: number;
  /** Mean −log p per target token over the epoch, with dropout. */
  readonly negativeLogLikelihood: number;
}

export interface ValidationEvent {
  readonly kind: 'validation';
  readonly step: number;
  readonly epoch: number;
  /** Mean smoothed loss per target token. */
  readonly loss: number;
  readonly perplexity: number;
  /** Share of target tokens that are the model's first choice. */
  readonly accuracy: number;
  /** Score of greedy translations, if asked for. */
  readonly bleu?: number;
  readonly signature?: string;
  /** Whether it is the best so far. */
  readonly best: boolean;
}

export interface StopEvent {
  readonly kind: 'stop';
  readonly step: number;
  readonly epoch: number;
  readonly reason: StopReason;
}

/** finished: all epochs or steps; patience: no improvement. */
export type StopReason = 'finished' | 'patience';

export type TrainingEvent = StepEvent | EpochEvent | ValidationEvent | StopEvent;
