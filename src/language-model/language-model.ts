// A language model in use: it continues prompts, and says how probable a text is.

import { z } from 'zod';
import { buildModel } from '../architectures/index.ts';
import { HeedError } from '../base/error.ts';
import type { EndReason } from '../decode/index.ts';
import { batchesByLength, GenerationEngine, type ProgramSetup, Scorer, streamText } from '../generate/index.ts';
import type { StoredModel } from '../model/index.ts';
import type { Tokenizer } from '../text/index.ts';
import { type Continuation, continuations, totalOf, type WriteListener } from './continuation.ts';
import { checkCount, defaultBatchTokens, type GenerateOptions, type Plan, planOf, streamPlanOf } from './options.ts';
import { type Perplexity, type PerplexityOptions, perplexityOf } from './perplexity.ts';

export type LanguageModelSetup = ProgramSetup;

/** What a language model wrote behind a prompt. */
export interface GeneratedText {
  /** Continues the prompt: begins with a space where a new word does. */
  readonly text: string;
  /** Ids of the pieces. */
  readonly tokens: readonly number[];
  /** ▁ for a space. */
  readonly pieces: readonly string[];
  /** Of each piece, and of the end where `reason` is `end`. */
  readonly logProbabilities: readonly number[];
  /** Their sum. */
  readonly total: number;
  /** `end`: the model ended it; `length`: maxTokens were written; `blocked`: every next piece was banned. */
  readonly reason: EndReason;
}

export interface TextScore {
  readonly pieces: readonly string[];
  /** Of each piece, and of the end. */
  readonly logProbabilities: readonly number[];
  /** Their sum. */
  readonly total: number;
}

/** The part of a training recipe that says what the model has read. */
const trainedWith = z.object({
  context: z.int().positive().optional().catch(undefined),
  documents: z.enum(['text', 'lines']).optional().catch(undefined),
});

const defaultContext = 256;

export class LanguageModel {
  /** Tokens that a search spans at most: what the model was trained with, or its learned positions; Infinity if neither is known. */
  readonly context: number;
  private readonly maxPositions: number;
  private readonly trained: z.output<typeof trainedWith>;
  private readonly tokenizer: Tokenizer;
  private readonly engine: GenerationEngine;
  private readonly scorer: Scorer;
  private readonly controlTokens: readonly number[];

  /** @throws HeedError for a model with an encoder; `name` says which */
  constructor(
    private readonly model: StoredModel,
    setup: LanguageModelSetup,
    name = 'model',
  ) {
    const { encode, maxPositions } = buildModel(model.config);
    if (encode !== undefined) {
      const rule = 'must be a model without an encoder to continue a text';
      throw new HeedError(name, `${rule}, got ${model.config.kind}; heed translate translates with it.`);
    }
    const { targetTokenizer: tokenizer } = model;
    const { startId, endId } = tokenizer;
    this.maxPositions = maxPositions;
    this.trained = trainedWith.parse(model.training);
    this.context = Math.min(maxPositions, this.trained.context ?? Number.POSITIVE_INFINITY);
    this.tokenizer = tokenizer;
    this.engine = new GenerationEngine(model, { ...setup, startId, endId });
    this.scorer = new Scorer(model, setup);
    this.controlTokens = tokenizer.controlTokens
      .map((token) => tokenizer.controlId(token))
      .filter((id) => id !== endId);
  }

  /** The best continuation of a prompt, or of each of several; the prompt itself is not repeated. */
  async generate(prompt: string, options?: GenerateOptions): Promise<string>;
  async generate(prompts: readonly string[], options?: GenerateOptions): Promise<string[]>;
  async generate(input: string | readonly string[], options: GenerateOptions = {}): Promise<string | string[]> {
    const texts = await this.generateAll(typeof input === 'string' ? [input] : input, options);
    const best = texts.map(([first]) => first.text);
    return typeof input === 'string' ? best[0] : best;
  }

  /** All texts asked for (nBest) of each prompt, best first. Which prompts are given together does not matter. */
  async generateAll(prompts: readonly string[], options: GenerateOptions = {}): Promise<GeneratedText[][]> {
    return this.write(prompts, planOf(options, this.model));
  }

  /**
   * The continuation as it is written, piece by piece: greedy search, or sampling if the options say so. Gives what is new of the
   * text, and returns the whole of it. Who stops reading stops the search.
   */
  async *stream(prompt: string, options: GenerateOptions = {}): AsyncGenerator<string, GeneratedText> {
    const plan = streamPlanOf(options, this.model);
    const promptTokens = this.encode(prompt);
    return yield* streamText({
      run: async (control) => (await this.write([prompt], { ...plan, signal: control.signal }, control.onToken))[0][0],
      decode: (tokens) => this.textBehind(promptTokens, tokens),
      signal: options.signal,
    });
  }

  /**
   * The log-probability of texts, each from its start to its end, by one pass over it.
   * @throws HeedError for a text that does not fit into the learned positions
   */
  async score(texts: readonly string[], { batchTokens = defaultBatchTokens } = {}): Promise<TextScore[]> {
    checkCount('batchTokens', batchTokens);
    const results = new Array<TextScore>(texts.length);
    const work = texts.map((text, place) => {
      const target = this.encode(text);
      this.checkLength(target.length + 1, place);
      return { place, source: [], target, length: target.length + 1 };
    });
    for (const batch of batchesByLength(work, batchTokens)) {
      const rows = await this.scorer.run(batch);
      for (const [row, { place, target }] of batch.entries()) {
        const logProbabilities = rows[row];
        results[place] = {
          pieces: this.tokenizer.pieces(target),
          logProbabilities,
          total: totalOf({ logProbabilities }),
        };
      }
    }
    return results;
  }

  /** How well the model predicts a text of any length. */
  async perplexity(text: string, options: PerplexityOptions = {}): Promise<Perplexity> {
    const { trained, maxPositions, scorer, tokenizer } = this;
    const {
      context = trained.context ?? Math.min(defaultContext, maxPositions),
      documents = trained.documents ?? 'text',
      batchTokens = defaultBatchTokens,
    } = options;
    checkCount('context', context);
    checkCount('batchTokens', batchTokens);
    if (context > maxPositions)
      throw new HeedError('perplexity', `context must be at most ${maxPositions} learned positions, got ${context}.`);
    if (text.trim() === '') throw new HeedError('perplexity', 'the text must have at least one word, got none.');
    return perplexityOf(text, { scorer, tokenizer }, { context, documents, batchTokens });
  }

  async release(): Promise<void> {
    await this.engine.release();
    await this.scorer.release();
  }

  private async write(prompts: readonly string[], plan: Plan, onToken?: WriteListener): Promise<GeneratedText[][]> {
    const { engine, context, controlTokens } = this;
    const encoded = prompts.map((prompt) => this.encode(prompt));
    const setup = { engine, context, controlTokens };
    const texts = await continuations(encoded, plan, setup, { onToken, signal: plan.signal });
    return texts.map((some, prompt) => some.map((text) => this.generated(encoded[prompt], text)));
  }

  private generated(prompt: readonly number[], { tokens, logProbabilities, reason }: Continuation): GeneratedText {
    const written = tokens.slice(prompt.length);
    return {
      text: this.textBehind(prompt, written),
      tokens: written,
      pieces: this.tokenizer.pieces(written),
      logProbabilities,
      total: totalOf({ logProbabilities }),
      reason,
    };
  }

  private encode(text: string): number[] {
    return [...this.tokenizer.encode(text)];
  }

  /** What tokens say behind others: a space that begins a text is not part of it. */
  private textBehind(prompt: readonly number[], tokens: readonly number[]): string {
    return this.tokenizer.decode([...prompt, ...tokens]).slice(this.tokenizer.decode(prompt).length);
  }

  private checkLength(length: number, place: number): void {
    if (length <= this.maxPositions) return;
    const rule = `must fit into this model's ${this.maxPositions} learned positions`;
    const todo = 'split it, or use perplexity, which takes texts of any length';
    throw new HeedError(`text ${place + 1}`, `${rule}, got ${length} pieces with the end; ${todo}.`);
  }
}
