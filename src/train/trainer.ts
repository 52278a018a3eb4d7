// The training loop: batches in a seeded order, gradients, updates, validations and checkpoints. It accesses no files and prints
// nothing: a store keeps its state, and events report progress.
//
// Each iteration depends only on the state, the weights and the moments, which are saved together between two iterations. A run
// that was stopped anywhere therefore continues from its last saved state as if it had never been stopped.

import { HeedError } from '../base/error.ts';
import { Random } from '../base/random.ts';
import type { Compile, ParameterSet } from '../runtime/index.ts';
import { Adam, type StartAdamHelper } from './adam.ts';
import type { Batches } from './batches.ts';
import type { StepEvent, StopReason, TrainingEvent, ValidationEvent } from './events.ts';
import { GradientSum } from './gradients/gradient-sum.ts';
import type { TrainingGraph } from './graph.ts';
import { checkOptions, type TrainingOptions } from './options.ts';
import { learningRate } from './schedule.ts';
import { addTo, initialState, noSums, type TrainingState } from './state.ts';
import { TrainingStep } from './step.ts';
import type { TrainingStore } from './store.ts';
import { Validation, type ValidationSetup } from './validation.ts';

export interface TrainerSetup {
  readonly compile: Compile;
  readonly graph: TrainingGraph;
  /** dModel, for the paper's learning rate. */
  readonly width: number;
  readonly options: TrainingOptions;
  readonly batches: Batches;
  /** Default: nothing is validated, and the last weights are the best ones. */
  readonly validation?: ValidationSetup | undefined;
  readonly store: TrainingStore;
  /** Starts a helper that computes half of each update, such as a thread; default: none. */
  readonly startAdamHelper?: StartAdamHelper | undefined;
  /** Additional measures of a task at each validation, such as BLEU; default: none. */
  readonly taskMetrics?: TaskMetrics | undefined;
  /** Called for each event, after it is written to the log. */
  readonly onEvent?: ((event: TrainingEvent) => void) | undefined;
  /** Called after each update, for a progress line. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Stops the run after the batch under way; its state is saved. */
  readonly signal?: AbortSignal | undefined;
}

export type TaskMetrics = (
  parameters: ParameterSet,
) => Promise<Pick<ValidationEvent, 'bleu' | 'signature' | 'samples'>>;

export interface Progress {
  readonly state: Readonly<TrainingState>;
  readonly batchesInEpoch: number;
  readonly targetTokens: number;
  readonly learningRate: number;
}

export type Outcome = StopReason | 'interrupted' | 'already finished';

export class Trainer {
  private readonly adam: Adam;

  private constructor(
    private readonly setup: TrainerSetup,
    private readonly step: TrainingStep,
    private readonly validation: Validation | undefined,
  ) {
    const { adamBeta1: beta1, adamBeta2: beta2, adamEpsilon: epsilon } = setup.options;
    this.adam = new Adam(step.parameters, { beta1, beta2, epsilon }, setup.startAdamHelper);
  }

  /** @throws HeedError if the options contradict each other */
  static async create(setup: TrainerSetup): Promise<Trainer> {
    const { compile, graph, options, validation } = setup;
    checkOptions(options, { hasValidation: validation !== undefined });
    const step = await TrainingStep.compile(compile, graph, options);
    const validates = validation && (await Validation.compile(compile, validation, options));
    return new Trainer(setup, step, validates);
  }

  get parameters(): ParameterSet {
    return this.step.parameters;
  }

  /** Trains from the store's last state, or from the start, to the end. */
  async run(): Promise<Outcome> {
    try {
      return await this.train();
    } finally {
      await this.adam.release();
    }
  }

  private async train(): Promise<Outcome> {
    const { store, signal } = this.setup;
    const state = (await store.load(this.parameters, this.adam)) ?? initialState();
    if (state.finished !== undefined && this.isOver(state)) return 'already finished';
    state.finished = undefined;
    await store.rewind(state);
    while (!this.isOver(state)) {
      if (signal?.aborted) return this.interrupt(state);
      if (!(await this.update(state))) continue;
      if (this.isCheckpointDue(state)) await this.checkpoint(state);
      else if (this.isSaveDue(state)) await this.save(state);
    }
    return this.finish(state);
  }

  /** One update from the gradients of some batches, weighed by their tokens; false, with nothing changed, if it was stopped. */
  private async update(state: TrainingState): Promise<boolean> {
    const { options, width, onProgress } = this.setup;
    const { batches } = this.setup.batches.epoch(state.epoch);
    const chosen = batches.slice(state.batch, state.batch + options.accumulate);
    const step = state.step + 1;
    const sum = await this.gradientsOf(chosen, step);
    if (sum === undefined) return false;
    const rate = learningRate(step, { ...options, dModel: width });
    const isReported = step % options.logEvery === 0;
    // A pass over all gradients, made only if needed.
    const norm = isReported || options.clipNorm > 0 ? finiteNorm(sum, step) : undefined;
    const clip = norm !== undefined && options.clipNorm > 0 ? Math.min(1, options.clipNorm / norm) : 1;
    await this.adam.update(step, rate, sum.gradients, clip / sum.targetTokens);
    state.step = step;
    state.batch += chosen.length;
    addTo(state.interval, sum);
    addTo(state.epochSums, sum);
    if (isReported) await this.reportInterval(state, { learningRate: rate, gradientNorm: norm });
    onProgress?.({ state, batchesInEpoch: batches.length, targetTokens: sum.targetTokens, learningRate: rate });
    if (state.batch >= batches.length) await this.endEpoch(state);
    return true;
  }

  /** The summed gradients of a step's batches; undefined if the run is to stop before all of them are done. */
  private async gradientsOf(batches: readonly Uint32Array[], step: number): Promise<GradientSum | undefined> {
    const { options, signal } = this.setup;
    const sum = new GradientSum();
    const parts = batches.flatMap((indices) => this.setup.batches.read(indices, step));
    for (const [i, batch] of parts.entries()) {
      if (signal?.aborted) return undefined;
      const dropout = Random.of(options.seed, 'dropout', step, i);
      sum.add(await this.step.run(batch, dropout), batch.targetTokens);
    }
    if (Number.isFinite(sum.loss)) return sum;
    throw new HeedError('train', `the loss of step ${step} is ${sum.loss}; ${divergenceAdvice}.`);
  }

  private async reportInterval(
    state: TrainingState,
    update: Pick<StepEvent, 'learningRate' | 'gradientNorm'>,
  ): Promise<void> {
    const { loss, negativeLogLikelihood, targetTokens } = state.interval;
    await this.report(state, {
      kind: 'step',
      step: state.step,
      epoch: state.epoch,
      loss: loss / targetTokens,
      negativeLogLikelihood: negativeLogLikelihood / targetTokens,
      ...update,
      targetTokens,
    });
    state.interval = noSums();
  }

  private async endEpoch(state: TrainingState): Promise<void> {
    const { negativeLogLikelihood, targetTokens } = state.epochSums;
    const mean = negativeLogLikelihood / targetTokens;
    await this.report(state, { kind: 'epoch', step: state.step, epoch: state.epoch, negativeLogLikelihood: mean });
    state.epochSums = noSums();
    state.epoch++;
    state.batch = 0;
  }

  /** Measures the weights, publishes them if they are the best, and saves the run. */
  private async checkpoint(state: TrainingState): Promise<void> {
    await this.measure(state);
    await this.save(state);
    await this.setup.store.forget(this.setup.options.averageLast);
  }

  /** Validates; publishes the weights if they are the best so far, and keeps them for averaging. */
  private async measure(state: TrainingState): Promise<void> {
    const { store, options } = this.setup;
    this.checkWeights(state);
    const result = await this.validate(this.parameters);
    const better = result === undefined || state.best === undefined || result.score < state.best;
    if (result !== undefined) {
      const { score, ...measured } = result;
      if (better) state.best = score;
      state.validationsWithoutImprovement = better ? 0 : state.validationsWithoutImprovement + 1;
      // After the end of an epoch, the result belongs to that epoch.
      const epoch = state.batch === 0 ? state.epoch - 1 : state.epoch;
      await this.report(state, { kind: 'validation', step: state.step, epoch, ...measured, best: better });
    }
    if (better) await store.publish(this.parameters);
    if (options.averageLast > 1) await store.keep(state.step, this.parameters);
    state.checkpointed = state.step;
  }

  /** Validation results, and the score by which checkpoints are compared: lower is better. */
  private async validate(parameters: ParameterSet) {
    if (this.validation === undefined) return undefined;
    const predicted = await this.validation.run(parameters);
    const measured = await this.setup.taskMetrics?.(parameters);
    const { bleu } = measured ?? {};
    const score = this.setup.options.bestBy === 'bleu' && bleu !== undefined ? -bleu : predicted.loss;
    return { ...predicted, ...measured, score };
  }

  /** Saves the run. If no weights have been published yet, the current ones are. */
  private async interrupt(state: TrainingState): Promise<Outcome> {
    await this.save(state);
    if (state.checkpointed === 0 && state.step > 0) await this.setup.store.publish(this.parameters);
    return 'interrupted';
  }

  /**
   * The last checkpoint and the average. They work on a copy of the state, and the best weights are set aside, so that the
   * run can be resumed with more epochs or steps as if it had had them from the start.
   */
  private async finish(state: TrainingState): Promise<Outcome> {
    const { store, options } = this.setup;
    await store.setBestAside();
    const end = structuredClone(state);
    if (end.checkpointed !== end.step) await this.measure(end);
    if (options.averageLast > 1) {
      const average = await store.average(this.parameters, options.averageLast);
      const result = await this.validate(average);
      if (result === undefined || end.best === undefined || result.score < end.best) await store.publish(average);
    }
    const reason = this.isOutOfPatience(end) ? 'patience' : 'finished';
    await this.report(end, { kind: 'stop', step: end.step, epoch: end.epoch, reason });
    state.finished = { reason, eventBytes: end.eventBytes };
    await this.save(state);
    return reason;
  }

  private isOver(state: TrainingState): boolean {
    const { epochs = Number.POSITIVE_INFINITY, steps = Number.POSITIVE_INFINITY } = this.setup.options;
    return state.epoch > epochs || state.step >= steps || this.isOutOfPatience(state);
  }

  private isOutOfPatience(state: TrainingState): boolean {
    const { patience } = this.setup.options;
    return patience > 0 && state.validationsWithoutImprovement >= patience;
  }

  /** Whether to validate after this update: at the end of each epoch, or every so many updates. */
  private isCheckpointDue(state: TrainingState): boolean {
    const { validateEvery } = this.setup.options;
    return validateEvery > 0 ? state.step % validateEvery === 0 : state.batch === 0;
  }

  private isSaveDue(state: TrainingState): boolean {
    const { saveEvery } = this.setup.options;
    return saveEvery > 0 && state.step % saveEvery === 0;
  }

  private save(state: TrainingState): Promise<void> {
    this.checkWeights(state);
    return this.setup.store.save(state, this.parameters, this.adam);
  }

  /** A finite loss can have an infinite gradient; the resulting weights must not replace good ones on disk. */
  private checkWeights(state: TrainingState): void {
    if (this.parameters.data.every(Number.isFinite)) return;
    throw new HeedError('train', `step ${state.step} made weights that are not finite numbers; ${divergenceAdvice}.`);
  }

  private async report(state: TrainingState, event: TrainingEvent): Promise<void> {
    state.eventBytes = await this.setup.store.log(event);
    this.setup.onEvent?.(event);
  }
}

/** An infinite gradient would ruin weights and moments. */
function finiteNorm(sum: GradientSum, step: number): number {
  const norm = sum.norm();
  if (Number.isFinite(norm)) return norm;
  throw new HeedError('train', `the norm of the gradient of step ${step} is ${norm}; ${divergenceAdvice}.`);
}

const divergenceAdvice = 'the last saved state is kept; try a lower peakRate, a longer warm-up or clipNorm';
