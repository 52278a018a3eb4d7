// Sentences under way: encoded once, then rows advance step by step beside a cache.

import type { StepModel, StepRequest, StepScores } from '../decode/index.ts';
import type { TransformerConfig } from '../nn/index.ts';
import type { Values } from '../runtime/index.ts';
import type { ArrayPool } from './array-pool.ts';
import type { ForeseenStep, Foresight, StepResults } from './foresight.ts';
import { pastKeys, pastValues } from './graphs.ts';
import { keepBlocks, type RowsToCache, SlotCache } from './slots.ts';

export type Feeds = readonly (readonly [string, Values])[];

/** What the programs of an engine compute for a batch. */
export interface Computations {
  /** The encoded sources, for steps like the one that is asked for. */
  encode(request: StepRequest): Promise<StepResults>;
  /** One step, from what is encoded and cached. */
  advance(request: StepRequest, feeds: Feeds): Promise<StepResults>;
  /**
   * Several steps of a sentence that is alone, the one that is asked for first: from what is encoded and cached, or without that the first
   * ones from its source. Resolves to undefined where the search can't be foreseen.
   */
  readonly ahead: ((request: StepRequest, options?: AheadOptions) => Promise<Foresight | undefined>) | undefined;
}

export interface AheadOptions {
  readonly feeds?: Feeds;
  /** Steps at most. */
  readonly most?: number | undefined;
}

/** A batch of sources under way. */
export interface RunningModel extends StepModel {
  /** Gives the memory of a search that has ended well to the next one. */
  release(): void;
}

export class RunningBatch implements RunningModel {
  readonly vocabularySize: number;
  readonly padId: number;
  readonly startId: number;
  readonly endId: number;
  private memory: StepResults | undefined;
  private foresight: Foresight | undefined;
  /** Steps that were answered by foresight and are not in the cache yet, with the parents of their rows. */
  private foreseen: (readonly [Int32Array, ForeseenStep])[] = [];
  private cache: SlotCache | undefined;
  private active: Int32Array;

  constructor(
    { sentences, startId, endId }: { sentences: number; startId: number; endId: number },
    private readonly config: TransformerConfig,
    private readonly computations: Computations,
    private readonly pool: ArrayPool,
  ) {
    const { targetVocabularySize, targetPadId } = config;
    this.vocabularySize = targetVocabularySize;
    this.padId = targetPadId;
    this.startId = startId;
    this.endId = endId;
    this.active = Int32Array.from({ length: sentences }, (_, i) => i);
  }

  async step(request: StepRequest): Promise<StepScores> {
    const results = await this.resultsOf(request);
    return {
      logProbabilities: results.logProbabilities.data as Float32Array,
      tokens: results.candidates?.data as Int32Array | undefined,
      attention: results.attention?.data as Float32Array | undefined,
    };
  }

  private async resultsOf(request: StepRequest): Promise<StepResults> {
    const { parents } = request;
    const isFirst = this.foresight === undefined && this.cache === undefined;
    if (isFirst) this.foresight = await this.computations.ahead?.(request);
    const foreseen = isFirst ? this.foresight?.first : this.foresight?.take(request);
    if (foreseen === undefined) return this.compute(request);
    this.foreseen.push([parents, foreseen]);
    return foreseen.results;
  }

  private async compute(request: StepRequest): Promise<StepResults> {
    const { width, tokens, sentences, parents } = request;
    const encoded = this.memory ?? (await this.computations.encode(request));
    const shape = { ...this.config, layers: this.config.decoderLayers, sentences: this.active.length, width };
    this.cache ??= new SlotCache(shape, this.pool);
    const { cache } = this;
    this.catchUp(cache);
    this.memory = this.keepOnly(sentences, cache, encoded);
    if (cache.length > 0) cache.follow(parents);
    const feeds: Feeds = [
      ...Object.entries(this.memory),
      ...cache.pastKeys.map((keys, layer): [string, Values] => [pastKeys(layer), keys]),
      ...cache.pastValues.map((values, layer): [string, Values] => [pastValues(layer), values]),
      ...(width === 1 ? [] : [['mask', cache.mask] as const]),
      ['tokens', { shape: [sentences.length, width], data: tokens }],
      ['position', { shape: [1], data: Int32Array.of(cache.length) }],
    ];
    this.foresight = await this.computations.ahead?.(request, { feeds, most: this.foresight?.worthwhile });
    const first = this.foresight?.first;
    const results = first?.results ?? (await this.computations.advance(request, feeds));
    cache.append(first?.rowsToCache() ?? rowsToCache(results));
    return results;
  }

  release(): void {
    this.cache?.release();
    this.cache = undefined;
  }

  /** Caches the steps that were foreseen. Often that is never needed. */
  private catchUp(cache: SlotCache): void {
    for (const [parents, step] of this.foreseen) {
      if (cache.length > 0) cache.follow(parents);
      cache.append(step.rowsToCache());
    }
    this.foreseen = [];
  }

  /** Drops the encoded source and the cache of sentences that are finished; what is encoded of the others. */
  private keepOnly(sentences: Int32Array, cache: SlotCache, memory: StepResults): StepResults {
    if (sentences.length === this.active.length) return memory;
    const placeOf = new Map(Array.from(this.active, (sentence, place) => [sentence, place]));
    const kept = Array.from(sentences, (sentence) => placeOf.get(sentence) ?? 0);
    cache.keep(kept);
    this.active = sentences.slice();
    return Object.fromEntries(Object.entries(memory).map(([name, values]) => [name, rowsOf(values, kept)]));
  }
}

function rowsToCache({ ownKeys, ownValues }: StepResults): RowsToCache {
  return { keys: ownKeys.data as Float32Array, values: ownValues.data as Float32Array };
}

/** Some rows along the first axis, ascending; those of the values given are overwritten. */
function rowsOf({ shape, data }: Values, rows: readonly number[]): Values {
  const [blocks] = shape;
  const size = data.length / blocks;
  keepBlocks(data as Float32Array, rows, { size, blocks, times: 1 });
  return { shape: [rows.length, ...shape.slice(1)], data: data.subarray(0, rows.length * size) };
}
