// A trained model as a step function for searches; compiles the programs it needs on demand.

import { buildModel, type SequenceModel } from '../architectures/index.ts';
import type { StepRequest } from '../decode/index.ts';
import { type CompileOptions, ITERATIONS, type Program, type Values } from '../runtime/index.ts';
import type { Tensor } from '../tensor/index.ts';
import { ArrayPool } from './array-pool.ts';
import { longestOf, padded } from './batches.ts';
import { decodeLoop } from './decode-loop.ts';
import { type Computations, DecodingRun, type PrefetchRequest, type RunningModel } from './decoding-run.ts';
import { encodeGraph, stepGraph } from './graphs.ts';
import { PrefetchedSteps } from './prefetched-steps.ts';
import { compileFor, fedWeights, type ProgramModel, type ProgramSetup } from './programs.ts';
import { appendGroups } from './state-layout.ts';
import type { Feeds, StepResults } from './state-store.ts';
import { beamFeeds } from './token-selection.ts';

export interface EngineOptions extends ProgramSetup {
  /** Ids of the target vocabulary with a meaning for decoding. */
  readonly startId: number;
  readonly endId: number;
  /** Decoder layer whose cross-attention is recorded; default: none. */
  readonly attentionLayer?: number | undefined;
}

/**
 * Largest number of parameters of a small model: its steps are so short that passing tensors takes much of the time, so several
 * steps are computed in one run for a batch of one sentence. A larger model would gain nothing, and react later to an abort.
 */
const MAX_PREFETCH_PARAMETERS = 16_000_000;

/** Parameters read in one run of several steps, which takes some hundredths of a second; determines the number of steps. */
const PREFETCHED_PARAMETERS = 256_000_000;
const MOST_PREFETCHED = 64;

/**
 * The number of terms that onnxruntime adds at a time in the product of attention weights and values of a single query. Sources
 * are padded to a multiple of it, so that the padding that a batch asks for changes no sum, not even its last bit.
 */
const SUMMANDS = 4;

export class GenerationEngine {
  private readonly sequenceModel: SequenceModel;
  private readonly programs = new Map<string, Promise<Program>>();
  private readonly prefetches: boolean;
  private readonly pool = new ArrayPool();

  constructor(
    private readonly model: ProgramModel,
    private readonly options: EngineOptions,
  ) {
    this.sequenceModel = buildModel(model.config);
    const { weights, attentionLayer } = options;
    const isPlain = weights !== 'fed' && attentionLayer === undefined;
    const hasLoop = options.compile.supports?.('Loop') ?? true;
    this.prefetches = isPlain && hasLoop && model.parameters.size <= MAX_PREFETCH_PARAMETERS;
  }

  /**
   * Starts a batch of sources; the result is for one search.
   * @param sources ids, END included; for a model without an encoder only their number matters
   */
  async start(sources: readonly Int32Array[]): Promise<RunningModel> {
    const { startId, endId } = this.options;
    const source = this.padded(sources);
    const computations: Computations = {
      encode: (width) => this.encode(source, width),
      advance: async (request, feeds) => withoutPadding(await this.advance(request, feeds), longestOf(sources)),
      prefetch: sources.length === 1 && this.prefetches ? (request) => this.prefetch(source, request) : undefined,
    };
    const batch = { sentences: sources.length, startId, endId };
    return new DecodingRun(this.sequenceModel, batch, computations, this.pool);
  }

  async release(): Promise<void> {
    for (const program of this.programs.values()) await (await program).release();
  }

  /** The padded sources; none for a model without an encoder. */
  private padded(sources: readonly Int32Array[]): Feeds {
    const { vocabulary, maxPositions } = this.sequenceModel;
    if (vocabulary.source === undefined) return [];
    const longest = longestOf(sources);
    const room = Math.max(longest, maxPositions);
    const length = Math.min(SUMMANDS * Math.ceil(longest / SUMMANDS), room);
    return [['source', padded(sources, vocabulary.source.padId, length)]];
  }

  private async encode(source: Feeds, width: number): Promise<StepResults> {
    if (this.sequenceModel.encode === undefined) return {};
    const layout = width === 1 ? 'one hypothesis' : 'several';
    const encoder = this.program(`encode/${layout}`, () => this.compile(encodeGraph(this.sequenceModel, width)));
    return (await encoder).run(this.withWeights(source));
  }

  private async advance({ width, top }: StepRequest, feeds: Feeds): Promise<StepResults> {
    const { attentionLayer } = this.options;
    const stepper = this.program(`step/${width}/${top}`, () =>
      this.compile(stepGraph(this.sequenceModel, { width, top, attentionLayer })),
    );
    return (await stepper).run(this.withWeights(feeds));
  }

  /** The program for the steps that the search is expected to request; undefined if steps are computed singly. */
  private async prefetch(source: Feeds, prefetch: PrefetchRequest): Promise<PrefetchedSteps | undefined> {
    const { request, hint, feeds, most = Number.POSITIVE_INFINITY } = prefetch;
    const { width, top } = request;
    if (top === undefined || hint === undefined) return undefined;
    const { startId, endId } = this.options;
    const from = feeds === undefined ? 'start' : 'states';
    const program = this.program(`loop/${from}/${width}/${top}`, () => {
      const { outputs, loop } = decodeLoop(this.sequenceModel, { width, top, startId, endId, from });
      return this.compile(outputs, { loop, fewRows: true });
    });
    const affordable = Math.ceil(PREFETCHED_PARAMETERS / this.model.parameters.size);
    const steps = Math.min(hint.steps, most, MOST_PREFETCHED, affordable);
    const results = await (await program).run(
      this.withWeights([
        ...(feeds ?? source),
        ...(hint.beam === undefined ? [] : beamFeeds(hint.beam)),
        [ITERATIONS, { shape: [1], data: Int32Array.of(steps) }],
      ]),
    );
    const { states } = this.sequenceModel;
    const grownNames = new Set(appendGroups(states).map(({ name }) => name));
    const [grown, stacked] = [true, false].map((isGrown) => {
      return Object.fromEntries(Object.entries(results).filter(([name]) => grownNames.has(name) === isGrown));
    });
    return new PrefetchedSteps(stacked, grown, { top, states });
  }

  private program(key: string, compiled: () => Promise<Program>): Promise<Program> {
    const known = this.programs.get(key) ?? compiled();
    this.programs.set(key, known);
    return known;
  }

  private compile(outputs: Readonly<Record<string, Tensor>>, options?: CompileOptions): Promise<Program> {
    return compileFor(this.model, this.options, outputs, options);
  }

  private withWeights(feeds: Feeds): Map<string, Values> {
    return new Map<string, Values>([...feeds, ...fedWeights(this.model, this.options)]);
  }
}

/** Recorded attention, cut to the given number of source positions: [B, W, S] */
function withoutPadding(results: StepResults, length: number): StepResults {
  const { attention } = results;
  if (attention === undefined) return results;
  const [sentences, width, columns] = attention.shape;
  const data = attention.data.filter((_, i) => i % columns < length);
  return { ...results, attention: { shape: [sentences, width, length], data } };
}
