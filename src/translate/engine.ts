// A trained model as the searches see it: sentences are encoded once, then rows advance step by step beside a cache.

import type { StepModel, StepRequest, StepScores } from '../decode/index.ts';
import type { StoredModel } from '../model/index.ts';
import { type TransformerConfig, withoutDropout } from '../nn/index.ts';
import {
  type Compile,
  type CompileOptions,
  type ParameterSet,
  type Program,
  ROUNDS,
  type Values,
} from '../runtime/index.ts';
import type { Tensor } from '../tensor/index.ts';
import { aheadGraph } from './ahead-graph.ts';
import { ArrayPool } from './array-pool.ts';
import { padded } from './batches.ts';
import { Foresight, type StepResults } from './foresight.ts';
import { encodeGraph, pastKeys, pastValues, stepGraph } from './graphs.ts';
import { keepBlocks, SlotCache } from './slots.ts';

export interface EngineOptions {
  /** Ids of the target vocabulary that steer decoding. */
  readonly startId: number;
  readonly endId: number;
  /** Threads within an operator; default: all cores. */
  readonly threads?: number | undefined;
  /** Decoder layer whose cross-attention is recorded; default: none. */
  readonly attentionLayer?: number | undefined;
  /**
   * constants: weights are built into the programs (fast). fed: each run reads them anew, so that a model in training
   * can be tried as it is.
   */
  readonly weights?: 'constants' | 'fed';
  /** Matrices to compute with in int8, with constants only; default: none. */
  readonly quantized?: StoredModel['quantized'];
}

/**
 * Numbers of a model that is light: a step is so short that handing over tensors takes a good part of it. Greedy search of a sentence that
 * is alone then has several steps computed in one run. A larger model would gain nothing, and notice an abort later.
 */
const LIGHT = 16_000_000;

/** Steps of one run at most. */
const ROUNDS_AHEAD = 8;

/** Sentences that come alone until it pays to compile for them, where there is a program that could do. */
const FEW = 4;

/** A batch of sources under way. */
export interface RunningModel extends StepModel {
  /** Gives the memory of a search that has ended well to the next one. */
  release(): void;
}

export class TranslationEngine {
  private readonly config: TransformerConfig;
  private encoder: Promise<Program> | undefined;
  private readonly steppers = new Map<string, Promise<Program>>();
  private readonly worksAhead: boolean;
  private alone = 0;
  private readonly pool = new ArrayPool();

  constructor(
    private readonly compile: Compile,
    config: TransformerConfig,
    private readonly parameters: ParameterSet,
    private readonly options: EngineOptions,
  ) {
    this.config = withoutDropout(config);
    const { weights, attentionLayer } = options;
    this.worksAhead = weights !== 'fed' && attentionLayer === undefined && parameters.size <= LIGHT;
  }

  /** Encodes a batch of sources (ids, END included); the result serves one search over them. */
  async start(sources: readonly Int32Array[]): Promise<RunningModel> {
    const source = padded(sources, this.config.sourcePadId);
    this.encoder ??= this.compileGraph(encodeGraph(this.config));
    const encoder = await this.encoder;
    const memory = await encoder.run(this.withWeights([['source', source]]));
    const { startId, endId } = this.options;
    const advance: Advance = (request, feeds) => this.advance(request, feeds);
    const isAlone = sources.length === 1;
    if (isAlone) this.alone++;
    const ahead: Ahead | undefined =
      isAlone && this.worksAhead ? (request, feeds) => this.ahead(request, feeds) : undefined;
    return new RunningBatch(memory, this.config, { startId, endId, advance, ahead, pool: this.pool });
  }

  private async advance({ width, top }: StepRequest, feeds: Feeds): Promise<StepResults> {
    const { attentionLayer } = this.options;
    const stepper = this.stepper(stepperKey(width, top), () =>
      this.compileGraph(stepGraph(this.config, { width, top, attentionLayer })),
    );
    return (await stepper).run(this.withWeights(feeds));
  }

  /** The steps that greedy search asks from a request on; undefined where the plain program is to do. */
  private async ahead({ top, greedySteps }: StepRequest, feeds: Feeds): Promise<Foresight | undefined> {
    if (top === undefined || greedySteps === undefined) return undefined;
    const key = `ahead/${top}`;
    if (!this.steppers.has(key) && this.steppers.has(stepperKey(1, top)) && this.alone < FEW) return undefined;
    const stepper = this.stepper(key, () => {
      const { outputs, repetition } = aheadGraph(this.config, { top, endId: this.options.endId });
      return this.compileGraph(outputs, { repetition });
    });
    const rounds = Int32Array.of(Math.min(greedySteps, ROUNDS_AHEAD));
    const stacked = await (await stepper).run(this.withWeights([...feeds, [ROUNDS, { shape: [1], data: rounds }]]));
    return new Foresight(stacked, top);
  }

  private stepper(key: string, compiled: () => Promise<Program>): Promise<Program> {
    const known = this.steppers.get(key) ?? compiled();
    this.steppers.set(key, known);
    return known;
  }

  private compileGraph(outputs: Readonly<Record<string, Tensor>>, options: CompileOptions = {}): Promise<Program> {
    const { threads, weights = 'constants' } = this.options;
    return this.compile(outputs, {
      ...options,
      ...(threads === undefined ? {} : { threads }),
      ...(weights === 'constants' ? { weights: this.parameters.weights(), quantized: this.options.quantized } : {}),
    });
  }

  private withWeights(feeds: Feeds): Map<string, Values> {
    const fed = this.options.weights === 'fed' ? this.parameters.parameters : [];
    return new Map<string, Values>([...feeds, ...fed.map((parameter) => [parameter.name, parameter] as const)]);
  }

  async release(): Promise<void> {
    for (const program of [this.encoder, ...this.steppers.values()]) await (await program)?.release();
  }
}

type Feeds = readonly [string, Values][];

type Advance = (request: StepRequest, feeds: Feeds) => Promise<StepResults>;

type Ahead = (request: StepRequest, feeds: Feeds) => Promise<Foresight | undefined>;

function stepperKey(width: number, top: number | undefined): string {
  return `${width}/${top}`;
}

interface RunningOptions {
  readonly startId: number;
  readonly endId: number;
  readonly advance: Advance;
  readonly ahead: Ahead | undefined;
  readonly pool: ArrayPool;
}

class RunningBatch implements RunningModel {
  readonly vocabularySize: number;
  readonly padId: number;
  readonly startId: number;
  readonly endId: number;
  private readonly advance: Advance;
  private readonly ahead: Ahead | undefined;
  private readonly pool: ArrayPool;
  private foresight: Foresight | undefined;
  private cache: SlotCache | undefined;
  private active: Int32Array;

  constructor(
    private memory: Record<string, Values>,
    private readonly config: TransformerConfig,
    { startId, endId, advance, ahead, pool }: RunningOptions,
  ) {
    const { targetVocabularySize, targetPadId } = config;
    this.vocabularySize = targetVocabularySize;
    this.padId = targetPadId;
    this.startId = startId;
    this.endId = endId;
    this.advance = advance;
    this.ahead = ahead;
    this.pool = pool;
    const sentences = memory.sourceMask.shape[0];
    this.active = Int32Array.from({ length: sentences }, (_, i) => i);
  }

  async step(request: StepRequest): Promise<StepScores> {
    const { width, sentences } = request;
    const shape = { ...this.config, layers: this.config.decoderLayers, sentences: this.active.length, width };
    this.cache ??= new SlotCache(shape, this.pool);
    const { cache } = this;
    this.keepOnly(sentences, cache);
    if (cache.length > 0) cache.follow(request.parents);
    const results = this.foresight?.take(request) ?? (await this.compute(request, cache));
    cache.append(results.ownKeys.data as Float32Array, results.ownValues.data as Float32Array);
    return {
      logProbabilities: results.logProbabilities.data as Float32Array,
      tokens: results.candidates?.data as Int32Array | undefined,
      attention: results.attention?.data as Float32Array | undefined,
    };
  }

  private async compute(request: StepRequest, cache: SlotCache): Promise<StepResults> {
    const { width, tokens, sentences } = request;
    const feeds: Feeds = [
      ...Object.entries(this.memory),
      ...cache.pastKeys.map((keys, layer): [string, Values] => [pastKeys(layer), keys]),
      ...cache.pastValues.map((values, layer): [string, Values] => [pastValues(layer), values]),
      ['pastMask', cache.pastMask],
      ['tokens', { shape: [sentences.length, width], data: tokens }],
      ['position', { shape: [1], data: Int32Array.of(cache.length) }],
    ];
    this.foresight = await this.ahead?.(request, feeds);
    return this.foresight?.first ?? this.advance(request, feeds);
  }

  release(): void {
    this.cache?.release();
    this.cache = undefined;
  }

  /** Drops the encoded source and the cache of sentences that are finished. */
  private keepOnly(sentences: Int32Array, cache: SlotCache): void {
    if (sentences.length === this.active.length) return;
    const placeOf = new Map(Array.from(this.active, (sentence, place) => [sentence, place]));
    const kept = Array.from(sentences, (sentence) => placeOf.get(sentence) ?? 0);
    cache.keep(kept);
    this.memory = Object.fromEntries(Object.entries(this.memory).map(([name, values]) => [name, rowsOf(values, kept)]));
    this.active = sentences.slice();
  }
}

/** Some rows along the first axis, ascending; those of the values given are overwritten. */
function rowsOf({ shape, data }: Values, rows: readonly number[]): Values {
  const size = data.length / shape[0];
  keepBlocks(data as Float32Array, size, rows);
  return { shape: [rows.length, ...shape.slice(1)], data: data.subarray(0, rows.length * size) };
}
