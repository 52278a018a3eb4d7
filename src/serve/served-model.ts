// A model behind the server: its workers, the queue before them, and what it translates.

import type { Direction, TraceOptions, TranslatedLine, TranslateOptions, Translation } from '../translate/index.ts';
import { type ModelFacts, TranslatorPool } from '../translate/node.ts';
import type { ModelFolder } from './model-names.ts';
import { Scheduler, type SchedulerOptions } from './scheduler.ts';

export interface ServedModelOptions extends Omit<SchedulerOptions, 'onBatch'> {
  /** Hears of each batch that a model begins. */
  readonly onBatch?: ((model: string, sentences: number) => void) | undefined;
  /** Threads; default: all cores. */
  readonly workers?: number | undefined;
  /** Hears of a worker that ended by itself. */
  readonly onCrash?: (() => void) | undefined;
}

/** What a client asks of one sentence or more, beside the direction. */
export type SentenceOptions = Omit<TranslateOptions, 'from' | 'to' | 'signal'>;

export class ServedModel {
  private readonly scheduler: Scheduler;

  private constructor(
    readonly name: string,
    readonly facts: ModelFacts,
    /** None: the model does not say its languages, and can be asked for by name only. */
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

  translate(sentences: readonly string[], { direction, options, signal }: Asked): Promise<TranslatedLine[]> {
    return this.scheduler.translate(sentences, { ...options, ...this.told(direction) }, signal);
  }

  /** One sentence as it is written: greedy search or sampling. `onText` hears what is new of the text. */
  stream(
    sentence: string,
    { direction, options, signal }: Asked,
    onText: (text: string) => void,
  ): Promise<Translation> {
    const wishes = { ...options, ...this.told(direction), signal };
    return this.scheduler.alone(() => this.pool.stream(sentence, wishes, onText), signal);
  }

  /** The JSON of a trace, in UTF-8. @throws HeedError for more than `maxPieces` in the text or its translation */
  traceJson(
    text: string,
    { direction, options, signal, maxPieces }: Asked & { readonly options: TraceOptions; readonly maxPieces: number },
  ): Promise<Uint8Array> {
    const wishes = { ...options, ...this.told(direction), signal };
    return this.scheduler.alone(() => this.pool.traceJson(text, wishes, maxPieces), signal);
  }

  /** Ends the workers; what they are doing fails. */
  release(): Promise<void> {
    return this.pool.release();
  }

  /** A model that knows its languages is told which to use; another one has no choice. */
  private told({ source, target }: Partial<Direction>): Pick<TranslateOptions, 'from' | 'to'> {
    const isItsOwn = this.facts.directions.some((known) => known.target === target);
    return isItsOwn ? { from: source, to: target } : {};
  }
}

/** How sentences are to be translated, and until when. */
export interface Asked {
  readonly direction: Partial<Direction>;
  readonly options: SentenceOptions;
  readonly signal: AbortSignal;
}
