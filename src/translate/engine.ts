// A trained model as the searches see it: sentences are encoded once, then rows advance step by step beside a cache.

import type { StepModel, StepRequest, StepScores } from '../decode/index.ts';
import type { StoredModel } from '../model/index.ts';
import { type TransformerConfig, withoutDropout } from '../nn/index.ts';
import type { Compile, ParameterSet, Program, Values } from '../runtime/index.ts';
import { padded } from './batches.ts';
import { encodeGraph, stepGraph } from './graphs.ts';
import { GrowingRows, SlotCache } from './slots.ts';

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

export class TranslationEngine {
  private readonly config: TransformerConfig;
  private encoder: Promise<Program> | undefined;
  private readonly steppers = new Map<string, Promise<Program>>();

  constructor(
    private readonly compile: Compile,
    config: TransformerConfig,
    private readonly parameters: ParameterSet,
    private readonly options: EngineOptions,
  ) {
    this.config = withoutDropout(config);
  }

  /** Encodes a batch of sources (ids, END included); the result serves one search over them. */
  async start(sources: readonly Int32Array[]): Promise<StepModel> {
    const source = padded(sources, this.config.sourcePadId);
    this.encoder ??= this.compileGraph(encodeGraph(this.config));
    const encoder = await this.encoder;
    const memory = await encoder.run(this.withWeights([['source', source]]));
    const { startId, endId } = this.options;
    return new RunningBatch(memory, this.config, { startId, endId }, (request, feeds) => this.advance(request, feeds));
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

/** One batch under way. */
class RunningBatch implements StepModel {
  readonly vocabularySize: number;
  readonly padId: number;
  readonly startId: number;
  readonly endId: number;
  private readonly cache: SlotCache;
  private active: Int32Array;

  constructor(
    private memory: Record<string, Values>,
    config: TransformerConfig,
    { startId, endId }: { startId: number; endId: number },
    private readonly advance: Advance,
  ) {
    const { targetVocabularySize, targetPadId, decoderLayers, heads, dKey, dValue } = config;
    this.vocabularySize = targetVocabularySize;
    this.padId = targetPadId;
    this.startId = startId;
    this.endId = endId;
    const sentences = memory.sourceMask.shape[0];
    this.active = Int32Array.from({ length: sentences }, (_, i) => i);
    const slots = (width: number) => new GrowingRows(decoderLayers * heads, width, sentences * INITIAL_SLOTS);
    this.cache = new SlotCache(slots(dKey), slots(dValue));
  }

  async step(request: StepRequest): Promise<StepScores> {
    const rows = request.tokens.length;
    this.keepOnly(request.sentences);
    if (this.cache.length > 0) this.cache.follow(request.parents);
    const results = await this.advance(request, [
      ...Object.entries(this.memory),
      ...this.cache.feeds(rows),
      ['tokens', { shape: [rows, 1], data: request.tokens }],
      ['position', { shape: [1], data: Int32Array.of(this.cache.length) }],
    ]);
    this.cache.append(results.ownKeys.data as Float32Array, results.ownValues.data as Float32Array, rows);
    return {
      logProbabilities: results.logProbabilities.data as Float32Array,
      tokens: results.candidates?.data as Int32Array | undefined,
      attention: results.attention?.data as Float32Array | undefined,
    };
  }

  /** Drops the encoded source of sentences that are finished. */
  private keepOnly(sentences: Int32Array): void {
    if (sentences.length === this.active.length) return;
    const places = new Map(Array.from(this.active, (sentence, place) => [sentence, place]));
    const kept = Array.from(sentences, (sentence) => places.get(sentence) ?? 0);
    this.memory = Object.fromEntries(Object.entries(this.memory).map(([name, values]) => [name, rowsOf(values, kept)]));
    this.active = sentences.slice();
  }
}

/** Slots a sentence that the cache has room for before it first grows. */
const INITIAL_SLOTS = 32;

/** Some rows along the first axis. */
function rowsOf({ shape, data }: Values, rows: readonly number[]): Values {
  const size = data.length / shape[0];
  const chosen = new Float32Array(rows.length * size);
  rows.forEach((row, i) => {
    chosen.set(data.subarray(row * size, (row + 1) * size), i * size);
  });
  return { shape: [rows.length, ...shape.slice(1)], data: chosen };
}
