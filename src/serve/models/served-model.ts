// A model of the server: its worker threads, the queue in front of them, and its directions.

import type { Direction, TraceOptions, TranslatedLine, TranslateOptions, Translation } from '../../translate/index.ts';
import { type ModelFacts, TranslatorPool } from '../../translate/node.ts';
import type { ModelFolder } from './model-names.ts';
import { Scheduler, type SchedulerOptions } from './scheduler.ts';

export interface ServedModelOptions extends Omit<SchedulerOptions, 'onBatch'> {
  /** Called with each batch that a model begins. */
  readonly onBatch?: ((model: string, sentences: number) => void) | undefined;
  /** Threads; default: all cores. */
  readonly workers?: number | undefined;
  /** Called when a worker ended by itself. */
  readonly onCrash?: (() => void) | undefined;
}

/** The options of a request, without its direction. */
export type SentenceOptions = Omit<TranslateOptions, 'from' | 'to' | 'signal'>;

export class ServedModel {
  private readonly scheduler: Scheduler;

  private constructor(
    readonly name: string,
    readonly facts: ModelFacts,
    /** Empty: the model does not name its languages, and can be requested by its own name only. */
    readonly directions: readonly Direction[],
    private readonly pool: TranslatorPool,
    options: SchedulerOptions,
  ) {
    this.scheduler = new Scheduler(pool, options);
  }

  /** @throws HeedError if the folder holds no model that can be loaded */
  static async load({ folder, name, directions }: ModelFolder, options: ServedModelOptions): Promise<ServedModel> {
    const { workers, onBatch, onCrash, ...scheduling } = options;
    const pool = new TranslatorPool([folder], { workers, onCrash });
    try {
      const facts = await pool.describe();
      return new ServedModel(name, facts, directions.length > 0 ? directions : facts.directions, pool, {
        ...scheduling,
        onBatch: (sentences) => onBatch?.(name, sentences),
      });
    } catch (error) {
      await pool.release();
      throw error;
    }
  }

  knows({ source, target }: Partial<Direction>): boolean {
    return this.directions.some(
      (known) => (source ?? known.source) === known.source && (target ?? known.target) === known.target,
    );
  }

  /** The width of the model's own beam search. */
  get ownBeam(): number {
    const { beam } = this.facts.generation;
    return typeof beam === 'number' ? beam : 4;
  }

  translate(
    sentences: readonly string[],
    { direction, options, signal }: TranslationRequest,
  ): Promise<TranslatedLine[]> {
    return this.scheduler.translate(sentences, { ...options, ...this.directionOptions(direction) }, signal);
  }

  /** One sentence as a stream, by greedy search or sampling. `onText` gets the text that is new. */
  stream(
    sentence: string,
    { direction, options, signal }: TranslationRequest,
    onText: (text: string) => void,
  ): Promise<Translation> {
    const translateOptions = { ...options, ...this.directionOptions(direction), signal };
    return this.scheduler.alone(() => this.pool.stream(sentence, translateOptions, onText), signal);
  }

  /** The JSON of a trace, in UTF-8. @throws HeedError for more than `maxPieces` in the text or its translation */
  traceJson(
    text: string,
    {
      direction,
      options,
      signal,
      maxPieces,
    }: TranslationRequest & { readonly options: TraceOptions; readonly maxPieces: number },
  ): Promise<Uint8Array> {
    const translateOptions = { ...options, ...this.directionOptions(direction), signal };
    return this.scheduler.alone(() => this.pool.traceJson(text, translateOptions, maxPieces), signal);
  }

  /** Ends the workers; their tasks fail. */
  release(): Promise<void> {
    return this.pool.release();
  }

  /** The direction as options of the translator; a model that names no languages takes none. */
  private directionOptions({ source, target }: Partial<Direction>): Pick<TranslateOptions, 'from' | 'to'> {
    const isItsOwn = this.facts.directions.some((known) => known.target === target);
    return isItsOwn ? { from: source, to: target } : {};
  }
}

/** How sentences are to be translated; `signal` aborts when the answer is no longer wanted. */
export interface TranslationRequest {
  readonly direction: Partial<Direction>;
  readonly options: SentenceOptions;
  readonly signal: AbortSignal;
}
