// The loop: batches in a seeded order, gradients, an update; validation and checkpoints between. Knows no files and prints
// nothing: a store keeps its state, and events say what happens.

import { HeedError } from '../base/error.ts';
import { Random } from '../base/random.ts';
import { batchIndices, type ControlIds, collate, type PairSource, pairLengths } from '../data/index.ts';
import type { TransformerConfig } from '../nn/index.ts';
import type { Compile, ParameterSet } from '../runtime/index.ts';
import { Adam } from './adam.ts';
import type { TrainingEvent } from './events.ts';
import { GradientSum } from './gradient-sum.ts';
import type { TrainingOptions } from './options.ts';
import { learningRate } from './schedule.ts';
import { addTo, initialState, noSums, type TrainingState } from './state.ts';
import { TrainingStep } from './step.ts';
import { Validation } from './validation.ts';

/** Keeps what a run must not lose. Every method is atomic: a crash leaves the old content or the new. */
export interface TrainingStore {
  /** The run's last state, copied into parameters and optimizer; undefined if there is none. */
  load(parameters: ParameterSet, adam: Adam): Promise<TrainingState | undefined>;
  save(state: TrainingState, parameters: ParameterSet, adam: Adam): Promise<void>;
  /** The weights that the run will be used with from now on. */
  publish(parameters: ParameterSet): Promise<void>;
  /** Keeps a checkpoint's weights for averaging, and forgets all but the last `keep`. */
  keep(step: number, parameters: ParameterSet, keep: number): Promise<void>;
  /** The mean of the checkpoints kept, whose names and shapes are those of `like`. */
  average(like: ParameterSet): Promise<ParameterSet>;
  /** Appends an event; returns the length of the log in bytes. */
  log(event: TrainingEvent): Promise<number>;
}

export interface TrainerSetup {
  readonly compile: Compile;
  readonly config: TransformerConfig;
  readonly options: TrainingOptions;
  readonly pairs: PairSource;
  readonly validPairs: PairSource | undefined;
  readonly ids: { readonly source: ControlIds; readonly target: ControlIds };
  readonly store: TrainingStore;
  /** Score of the model's own translations at each validation; injected, since training knows neither search nor metrics. */
  readonly scoreTranslations?: (parameters: ParameterSet) => Promise<{ bleu: number; signature: string }>;
  /** Called for each event, after it is in the log. */
  readonly onEvent?: (event: TrainingEvent) => void;
  /** Called after each update, for a progress line. */
  readonly onProgress?: (progress: Progress) => void;
  /** Stops the run after the step under way; its state is saved. */
  readonly signal?: AbortSignal;
}

export interface Progress {
  readonly state: Readonly<TrainingState>;
  readonly batchesInEpoch: number;
  readonly targetTokens: number;
  readonly learningRate: number;
}

export type Outcome = 'finished' | 'patience' | 'interrupted' | 'already finished';

export class Trainer {
  private readonly adam: Adam;
  private readonly lengths: ReturnType<typeof pairLengths>;

  private constructor(
    private readonly setup: TrainerSetup,
    private readonly step: TrainingStep,
    private readonly validation: Validation | undefined,
  ) {
    const { adamBeta1: beta1, adamBeta2: beta2, adamEpsilon: epsilon } = setup.options;
    this.adam = new Adam(step.parameters, { beta1, beta2, epsilon });
    this.lengths = pairLengths(setup.pairs);
  }

  static async create(setup: TrainerSetup): Promise<Trainer> {
    const { compile, config, options, ids, validPairs } = setup;
    if (options.epochs === undefined && options.steps === undefined && options.patience === 0) {
      throw new HeedError('train', 'needs an end: give epochs, steps or patience.');
    }
    if (options.patience > 0 && validPairs === undefined) {
      throw new HeedError('train', 'patience needs validation data; give valid-source and valid-target.');
    }
    const { labelSmoothing: smoothing, seed, threads } = options;
    const engine = threads === undefined ? {} : { threads };
    const step = await TrainingStep.compile(compile, config, { smoothing, seed, ...engine });
    const validation =
      validPairs === undefined
        ? undefined
        : await Validation.compile(compile, config, { pairs: validPairs, ids, options });
    return new Trainer(setup, step, validation);
  }

  get parameters(): ParameterSet {
    return this.step.parameters;
  }

  /** Trains from the store's last state, or from the start, to the end. */
  async run(): Promise<Outcome> {
    const state = (await this.setup.store.load(this.parameters, this.adam)) ?? initialState();
    if (state.finished) return 'already finished';
    while (!this.isOver(state)) {
      if (await this.runEpoch(state)) return 'interrupted';
    }
    return this.finish(state);
  }

  /** The rest of the epoch under way; true if it was interrupted. */
  private async runEpoch(state: TrainingState): Promise<boolean> {
    const { maxTokens, seed, accumulate, validateEvery } = this.setup.options;
    const { batches } = batchIndices(this.lengths, { maxTokens, seed, epoch: state.epoch });
    while (state.batch < batches.length && !this.isOver(state)) {
      await this.update(state, batches.slice(state.batch, state.batch + accumulate), batches.length);
      const epochEnds = state.batch >= batches.length;
      if (epochEnds) await this.endEpoch(state);
      if (validateEvery > 0 ? state.step % validateEvery === 0 : epochEnds) await this.checkpoint(state);
      if (this.setup.signal?.aborted) {
        await this.save(state);
        return true;
      }
      if (epochEnds) return false;
    }
    return false;
  }

  /** One update from the gradients of some batches, weighed by their tokens. */
  private async update(state: TrainingState, batches: readonly Uint32Array[], batchesInEpoch: number): Promise<void> {
    const { options, pairs, ids, onProgress } = this.setup;
    const sum = new GradientSum();
    state.step++;
    for (const [i, indices] of batches.entries()) {
      const batch = collate(pairs, indices, ids);
      const dropout = Random.of(options.seed, 'dropout', state.step, i);
      sum.add(await this.step.run(batch, dropout), batch.targetTokens);
    }
    if (!Number.isFinite(sum.loss)) {
      const todo = 'the last checkpoint is kept; try a lower peakRate, a longer warm-up or clipNorm';
      throw new HeedError('train', `the loss of step ${state.step} is ${sum.loss}; ${todo}.`);
    }
    const rate = learningRate(state.step, { ...options, dModel: this.setup.config.dModel });
    const clip = options.clipNorm > 0 ? Math.min(1, options.clipNorm / sum.norm()) : 1;
    this.adam.update(state.step, rate, sum.gradients, clip / sum.targetTokens);
    state.batch += batches.length;
    addTo(state.interval, sum);
    addTo(state.epochSums, sum);
    if (state.step % options.logEvery === 0) await this.reportInterval(state, rate);
    onProgress?.({ state, batchesInEpoch, targetTokens: sum.targetTokens, learningRate: rate });
  }

  private async reportInterval(state: TrainingState, rate: number): Promise<void> {
    const { loss, negativeLogLikelihood, targetTokens } = state.interval;
    await this.tell(state, {
      kind: 'step',
      step: state.step,
      epoch: state.epoch,
      loss: loss / targetTokens,
      negativeLogLikelihood: negativeLogLikelihood / targetTokens,
      learningRate: rate,
      targetTokens,
    });
    state.interval = noSums();
  }

  private async endEpoch(state: TrainingState): Promise<void> {
    const { negativeLogLikelihood, targetTokens } = state.epochSums;
    const mean = negativeLogLikelihood / targetTokens;
    await this.tell(state, { kind: 'epoch', step: state.step, epoch: state.epoch, negativeLogLikelihood: mean });
    state.epochSums = noSums();
    state.epoch++;
    state.batch = 0;
  }

  /** Validates, publishes the weights if they are the best, and saves. */
  private async checkpoint(state: TrainingState): Promise<void> {
    const { store, options } = this.setup;
    const result = await this.validate(this.parameters);
    const better = result === undefined || state.best === undefined || result.score < state.best;
    if (result !== undefined) {
      const { score, ...measured } = result;
      if (better) state.best = score;
      state.stale = better ? 0 : state.stale + 1;
      // An epoch that just ended is the one the result belongs to.
      const epoch = state.batch === 0 ? state.epoch - 1 : state.epoch;
      await this.tell(state, { kind: 'validation', step: state.step, epoch, ...measured, best: better });
    }
    if (better) await store.publish(this.parameters);
    if (options.averageLast > 1) await store.keep(state.step, this.parameters, options.averageLast);
    state.checkpointed = state.step;
    await this.save(state);
  }

  /** Validation results and the one number, lower is better, by which checkpoints are compared. */
  private async validate(parameters: ParameterSet) {
    if (this.validation === undefined) return undefined;
    const predicted = await this.validation.run(parameters);
    const translated = await this.setup.scoreTranslations?.(parameters);
    const score = this.setup.options.bestBy === 'bleu' && translated ? -translated.bleu : predicted.loss;
    return { ...predicted, ...translated, score };
  }

  private async finish(state: TrainingState): Promise<Outcome> {
    const { store, options } = this.setup;
    if (state.checkpointed !== state.step) await this.checkpoint(state);
    if (options.averageLast > 1) {
      const average = await store.average(this.parameters);
      const result = await this.validate(average);
      if (result === undefined || state.best === undefined || result.score < state.best) await store.publish(average);
    }
    const reason = this.outOfPatience(state) ? 'patience' : 'finished';
    await this.tell(state, { kind: 'stop', step: state.step, epoch: state.epoch, reason });
    state.finished = true;
    await this.save(state);
    return reason;
  }

  private isOver(state: TrainingState): boolean {
    const { epochs = Number.POSITIVE_INFINITY, steps = Number.POSITIVE_INFINITY } = this.setup.options;
    return state.epoch > epochs || state.step >= steps || this.outOfPatience(state);
  }

  private outOfPatience(state: TrainingState): boolean {
    const { patience } = this.setup.options;
    return patience > 0 && state.stale >= patience;
  }

  private save(state: TrainingState): Promise<void> {
    return this.setup.store.save(state, this.parameters, this.adam);
  }

  private async tell(state: TrainingState, event: TrainingEvent): Promise<void> {
    state.eventBytes = await this.setup.store.log(event);
    this.setup.onEvent?.(event);
  }
}
