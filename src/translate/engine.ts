// A trained model as the searches see it: sentences are encoded once, then rows advance step by step beside a cache.

import type { StepModel, StepRequest, StepScores } from '../decode/index.ts';
import type { StoredModel } from '../model/index.ts';
import { type TransformerConfig, withoutDropout } from '../nn/index.ts';
import type { Compile, ParameterSet, Program, Values } from '../runtime/index.ts';
import { ArrayPool } from './array-pool.ts';
import { padded } from './batches.ts';
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

/** A batch of sources under way. */
export interface RunningModel extends StepModel {
  /** Gives the memory of a search that has ended well to the next one. */
  release(): void;
}

export class TranslationEngine {
  private readonly config: TransformerConfig;
  private encoder: Promise<Program> | undefined;
  private readonly steppers = new Map<string, Promise<Program>>();
  private readonly pool = new ArrayPool();

  constructor(
    private readonly compile: Compile,
    config: TransformerConfig,
    private readonly parameters: ParameterSet,
    private readonly options: EngineOptions,
  ) {
    this.config = withoutDropout(config);
  }

  /** Encodes a batch of sources (ids, END included); the result serves one search over them. */
  async start(sources: readonly Int32Array[]): Promise<RunningModel> {
    const source = padded(sources, this.config.sourcePadId);
    this.encoder ??= this.compileGraph(encodeGraph(this.config));
    const encoder = await this.encoder;
    const memory = await encoder.run(this.withWeights([['source', source]]));
    const { startId, endId } = this.options;
    const advance: Advance = (request, feeds) => this.advance(request, feeds);
    return new RunningBatch(memory, this.config, { startId, endId, advance, pool: this.pool });
  }

  private async advance({ width, top }: StepRequest, feeds: [string, Values][]): Promise<Record<string, Values>> {
    const { attentionLayer } = this.options;
    const key = `${width}/${top}`;
    let stepper = this.steppers.get(key);
    if (stepper === undefined) {
      stepper = this.compileGraph(stepGraph(this.config, { width, top, attentionLayer }));
      this.steppers.set(key, stepper);
    }
    return (await stepper).run(this.withWeights(feeds));
  }

  private compileGraph(outputs: ReturnType<typeof encodeGraph>): Promise<Program> {
    const { threads, weights = 'constants' } = this.options;
    return this.compile(outputs, {
      ...(threads === undefined ? {} : { threads }),
      ...(weights === 'constants' ? { weights: this.parameters.weights(), quantized: this.options.quantized } : {}),
    });
  }

  private withWeights(feeds: [string, Values][]): Map<string, Values> {
    const fed = this.options.weights === 'fed' ? this.parameters.parameters : [];
    return new Map<string, Values>([...feeds, ...fed.map((parameter) => [parameter.name, parameter] as const)]);
  }

  async release(): Promise<void> {
    for (const program of [this.encoder, ...this.steppers.values()]) await (await program)?.release();
  }
}

type Advance = (request: StepRequest, feeds: [string, Values][]) => Promise<Record<string, Values>>;

class RunningBatch implements RunningModel {
  readonly vocabularySize: number;
  readonly padId: number;
  readonly startId: number;
  readonly endId: number;
  private readonly advance: Advance;
  private readonly pool: ArrayPool;
  private cache: SlotCache | undefined;
  private active: Int32Array;

  constructor(
    private memory: Record<string, Values>,
    private readonly config: TransformerConfig,
    { startId, endId, advance, pool }: { startId: number; endId: number; advance: Advance; pool: ArrayPool },
  ) {
    const { targetVocabularySize, targetPadId } = config;
    this.vocabularySize = targetVocabularySize;
    this.padId = targetPadId;
    this.startId = startId;
    this.endId = endId;
    this.advance = advance;
    this.pool = pool;
    const sentences = memory.sourceMask.shape[0];
    this.active = Int32Array.from({ length: sentences }, (_, i) => i);
  }

  async step(request: StepRequest): Promise<StepScores> {
    const { width, tokens, sentences } = request;
    const shape = { ...this.config, layers: this.config.decoderLayers, sentences: this.active.length, width };
    this.cache ??= new SlotCache(shape, this.pool);
    const { cache } = this;
    this.keepOnly(sentences, cache);
    if (cache.length > 0) cache.follow(request.parents);
    const results = await this.advance(request, [
      ...Object.entries(this.memory),
      ...cache.pastKeys.map((keys, layer): [string, Values] => [pastKeys(layer), keys]),
      ...cache.pastValues.map((values, layer): [string, Values] => [pastValues(layer), values]),
      ['pastMask', cache.pastMask],
      ['tokens', { shape: [sentences.length, width], data: tokens }],
      ['position', { shape: [1], data: Int32Array.of(cache.length) }],
    ]);
    cache.append(results.ownKeys.data as Float32Array, results.ownValues.data as Float32Array);
    return {
      logProbabilities: results.logProbabilities.data as Float32Array,
      tokens: results.candidates?.data as Int32Array | undefined,
      attention: results.attention?.data as Float32Array | undefined,
    };
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
