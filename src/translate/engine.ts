// A trained model as the searches see it: which programs it needs, and what they are compiled from.

import type { StepRequest } from '../decode/index.ts';
import type { StoredModel } from '../model/index.ts';
import { type TransformerConfig, withoutDropout } from '../nn/index.ts';
import {
  type Compile,
  type CompileOptions,
  ITERATIONS,
  type ParameterSet,
  type Program,
  type Values,
} from '../runtime/index.ts';
import type { Tensor } from '../tensor/index.ts';
import { aheadGraph } from './ahead-graph.ts';
import { ArrayPool } from './array-pool.ts';
import { longestOf, padded } from './batches.ts';
import { beamFeeds } from './choices.ts';
import { Foresight, type StepResults } from './foresight.ts';
import { encodeGraph, stepGraph } from './graphs.ts';
import { type AheadOptions, type Computations, type Feeds, RunningBatch, type RunningModel } from './running-batch.ts';

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
 * Numbers of a model that is light: a step is so short that handing over tensors takes a good part of it. A search for a sentence that is
 * alone then has many steps computed in one run. A larger model would gain nothing, and notice an abort later.
 */
const LIGHT = 16_000_000;

/** Steps of one run: as many as read about so many numbers, which takes some hundredths of a second. */
const NUMBERS_AHEAD = 256_000_000;
const MOST_AHEAD = 64;

/**
 * How many terms the engine adds up at a time where a single query's values are weighed. Sources are padded to a multiple of it, so that the
 * padding that a batch asks for changes no sum, not even its last bit.
 */
const SUMMANDS = 4;

export class TranslationEngine {
  private readonly config: TransformerConfig;
  private readonly programs = new Map<string, Promise<Program>>();
  private readonly worksAhead: boolean;
  private readonly pool = new ArrayPool();

  constructor(
    private readonly compile: Compile,
    config: TransformerConfig,
    private readonly parameters: ParameterSet,
    private readonly options: EngineOptions,
  ) {
    this.config = withoutDropout(config);
    const { weights, attentionLayer } = options;
    const isPlain = weights !== 'fed' && attentionLayer === undefined;
    this.worksAhead = isPlain && parameters.size <= LIGHT && (compile.supports?.('Loop') ?? true);
  }

  /** Starts on a batch of sources (ids, END included); the result serves one search over them. */
  async start(sources: readonly Int32Array[]): Promise<RunningModel> {
    const { startId, endId } = this.options;
    const isAlone = sources.length === 1;
    const source = this.padded(sources);
    const computations: Computations = {
      encode: ({ width }) => this.encode(source, width),
      advance: async (request, feeds) => withoutPadding(await this.advance(request, feeds), longestOf(sources)),
      ahead: isAlone && this.worksAhead ? (request, options) => this.ahead(source, request, options) : undefined,
    };
    const ids = { sentences: sources.length, startId, endId };
    return new RunningBatch(ids, this.config, computations, this.pool);
  }

  private padded(sources: readonly Int32Array[]): Values {
    const { positions, maxPositions, sourcePadId } = this.config;
    const longest = longestOf(sources);
    const room = positions === 'learned' ? Math.max(longest, maxPositions) : Infinity;
    return padded(sources, sourcePadId, Math.min(SUMMANDS * Math.ceil(longest / SUMMANDS), room));
  }

  private async encode(source: Values, width: number): Promise<StepResults> {
    const layout = width === 1 ? 'one hypothesis' : 'several';
    const encoder = this.program(`encode/${layout}`, () => this.compileGraph(encodeGraph(this.config, width)));
    return (await encoder).run(this.withWeights([['source', source]]));
  }

  private async advance({ width, top }: StepRequest, feeds: Feeds): Promise<StepResults> {
    const { attentionLayer } = this.options;
    const stepper = this.program(`step/${width}/${top}`, () =>
      this.compileGraph(stepGraph(this.config, { width, top, attentionLayer })),
    );
    return (await stepper).run(this.withWeights(feeds));
  }

  /** The steps that a search is expected to ask from a request on; undefined where the plain program is to do. */
  private async ahead(
    source: Values,
    request: StepRequest,
    { feeds, most = Infinity }: AheadOptions = {},
  ): Promise<Foresight | undefined> {
    const { width, top } = request;
    const outlook = top === undefined ? undefined : request.outlook?.();
    if (top === undefined || outlook === undefined) return undefined;
    const from = feeds === undefined ? 'source' : 'cache';
    const program = this.program(`ahead/${from}/${width}/${top}`, () => {
      const { startId, endId } = this.options;
      const { outputs, loop } = aheadGraph(this.config, { width, top, startId, endId, from });
      return this.compileGraph(outputs, { loop, fewRows: true });
    });
    const rounds = Math.min(outlook.steps, most, MOST_AHEAD, Math.ceil(NUMBERS_AHEAD / this.parameters.size));
    const { keys, values, ...stacked } = await (await program).run(
      this.withWeights([
        ...(feeds ?? [['source', source] as const]),
        ...(outlook.beam === undefined ? [] : beamFeeds(outlook.beam)),
        [ITERATIONS, { shape: [1], data: Int32Array.of(rounds) }],
      ]),
    );
    return new Foresight(stacked, { keys, values }, top);
  }

  private program(key: string, compiled: () => Promise<Program>): Promise<Program> {
    const known = this.programs.get(key) ?? compiled();
    this.programs.set(key, known);
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
    for (const program of this.programs.values()) await (await program).release();
  }
}

/** Attention, where it is recorded, to so many positions of the sources only: [B, W, S] */
function withoutPadding(results: StepResults, length: number): StepResults {
  const { attention } = results;
  if (attention === undefined) return results;
  const [sentences, width, columns] = attention.shape;
  const data = attention.data.filter((_, i) => i % columns < length);
  return { ...results, attention: { shape: [sentences, width, length], data } };
}
