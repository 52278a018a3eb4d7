// The decoding of one batch: sources are encoded once, then all rows advance step by step. For a batch of one sentence, steps may
// be prefetched; the stored states are brought up to date only when the next step is computed on its own.

import type { SequenceModel } from '../architectures/index.ts';
import type { HintedModel, SearchHint, StepRequest, StepScores } from '../decode/index.ts';
import type { ArrayPool } from './array-pool.ts';
import type { PrefetchedStep, PrefetchedSteps } from './prefetched-steps.ts';
import { type Feeds, StateStore, type StepResults } from './state-store.ts';

/** What the programs of an engine compute for a batch. */
export interface Computations {
  /** The fixed states of the sources, stored for steps of the given number of hypotheses. */
  encode(width: number): Promise<StepResults>;
  /** One step, from the states. */
  advance(request: StepRequest, feeds: Feeds): Promise<StepResults>;
  /** Several steps for a batch of one sentence, beginning with the requested one; undefined if not worthwhile. */
  readonly prefetch: Prefetch | undefined;
}

/** Resolves to undefined if the search cannot be predicted. */
type Prefetch = (request: PrefetchRequest) => Promise<PrefetchedSteps | undefined>;

export interface PrefetchRequest {
  readonly request: StepRequest;
  readonly hint: SearchHint | undefined;
  /** The states and tokens; default: the search starts, and the source is encoded in the same run. */
  readonly feeds?: Feeds;
  /** Maximum number of steps. */
  readonly most?: number | undefined;
}

/** The step function for one batch. */
export interface RunningModel extends HintedModel {
  /** Releases the buffers of a completed search for reuse. */
  release(): void;
}

export class DecodingRun implements RunningModel {
  readonly vocabularySize: number;
  readonly padId: number;
  readonly startId: number;
  readonly endId: number;
  private hint: (() => SearchHint | undefined) | undefined;
  private prefetched: PrefetchedSteps | undefined;
  /** Prefetched steps that were returned but are not in the stored states yet, with the parents of their rows. */
  private pending: (readonly [parents: Int32Array, step: PrefetchedStep])[] = [];
  private store: StateStore | undefined;

  constructor(
    private readonly model: SequenceModel,
    private readonly batch: { readonly sentences: number; readonly startId: number; readonly endId: number },
    private readonly computations: Computations,
    private readonly pool: ArrayPool,
  ) {
    const { size, padId } = model.vocabulary.target;
    this.vocabularySize = size;
    this.padId = padId;
    this.startId = batch.startId;
    this.endId = batch.endId;
  }

  expect(hint: (() => SearchHint | undefined) | undefined): void {
    this.hint = hint;
  }

  async step(request: StepRequest): Promise<StepScores> {
    const results = (await this.takePrefetched(request)) ?? (await this.compute(request));
    return {
      logProbabilities: results.logProbabilities.data as Float32Array,
      tokens: results.candidates?.data as Int32Array | undefined,
      attention: results.attention?.data as Float32Array | undefined,
    };
  }

  release(): void {
    this.store?.release();
    this.store = undefined;
  }

  private async takePrefetched(request: StepRequest): Promise<StepResults | undefined> {
    const isFirst = this.prefetched === undefined && this.store === undefined;
    if (isFirst) this.prefetched = await this.prefetch({ request });
    const step = isFirst ? this.prefetched?.first : this.prefetched?.take(request);
    if (step === undefined) return undefined;
    this.pending.push([request.parents, step]);
    return step.results;
  }

  private async compute(request: StepRequest): Promise<StepResults> {
    const { width, tokens, sentences, parents } = request;
    this.store ??= await this.newStore(width);
    const { store } = this;
    for (const [rows, step] of this.pending.splice(0)) {
      store.reorder(rows);
      store.advance(step.withStates());
    }
    store.retain(sentences);
    store.reorder(parents);
    const feeds: Feeds = [...store.feeds(), ['tokens', { shape: [sentences.length, width], data: tokens }]];
    this.prefetched = await this.prefetch({ request, feeds, most: this.prefetched?.worthwhile });
    const results = this.prefetched?.first.withStates() ?? (await this.computations.advance(request, feeds));
    store.advance(results);
    return results;
  }

  private async prefetch(request: Omit<PrefetchRequest, 'hint'>): Promise<PrefetchedSteps | undefined> {
    const { prefetch } = this.computations;
    return prefetch?.({ ...request, hint: this.hint?.() });
  }

  private async newStore(width: number): Promise<StateStore> {
    const { sentences } = this.batch;
    const encoded = await this.computations.encode(width);
    return new StateStore(this.model.states, { size: { sentences, width }, encoded, pool: this.pool });
  }
}
