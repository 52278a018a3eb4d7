// Translation of text: lines are encoded, searched in batches of similar length, and returned in their original order.

import { HeedError } from '../base/error.ts';
import { ensemble, lengthPenalty, parseLengthPenalty, type SearchControl, search } from '../decode/index.ts';
import { batchesByLength, streamText } from '../generate/index.ts';
import type { Direction, StoredModel } from '../model/index.ts';
import { tagIds } from './direction.ts';
import { EnsembleMember } from './ensemble-member.ts';
import { forcedPhrase } from './glossary.ts';
import { type Plan, planOf, type TranslateOptions, type TranslatorSetup } from './options.ts';
import { type PairScore, type ScoreOptions, type ScorePair, scoreTogether } from './scoring.ts';
import { checkShareTokenizers } from './shared-tokenizers.ts';
import type { Trace } from './trace/format.ts';
import { SearchRecorder } from './trace/search-recorder.ts';
import { type TraceOptions, traceView } from './trace/tracer.ts';
import { isBlank, type TranslatedLine, type Translation, translationOf, untouched } from './translation.ts';
import { type NumberedLine, numbered, throughWindows } from './windows.ts';

export class Translator {
  private readonly members: readonly EnsembleMember[];
  private readonly model: StoredModel;
  private readonly controlTokens: readonly number[];
  /** The minimum over the members. */
  private readonly maxPositions: number;

  /**
   * @param models one, or several that share their tokenizers and translate as an ensemble: the next token's probability
   * is the mean of theirs. The first one's decoding defaults hold.
   * @throws HeedError for models that do not fit together; `names` identify them in messages
   */
  constructor(models: StoredModel | readonly StoredModel[], setup: TranslatorSetup, names?: readonly string[]) {
    const all = 'config' in models ? [models] : models;
    const known = names ?? all.map((_, i) => `model ${i + 1}`);
    checkShareTokenizers(all, known);
    this.members = all.map((model, i) => new EnsembleMember(model, setup, known[i]));
    [this.model] = all;
    this.maxPositions = Math.min(...this.members.map(({ maxPositions }) => maxPositions));
    const { targetTokenizer: target } = this.model;
    this.controlTokens = target.controlTokens
      .map((token) => target.controlId(token))
      .filter((id) => id !== target.endId);
  }

  /** What the model translates; empty if its recipe names no languages. */
  get directions(): readonly Direction[] {
    return this.model.directions;
  }

  /** The best translation of a text, or of several texts. */
  async translate(text: string, options?: TranslateOptions): Promise<string>;
  async translate(texts: readonly string[], options?: TranslateOptions): Promise<string[]>;
  async translate(input: string | readonly string[], options: TranslateOptions = {}): Promise<string | string[]> {
    const lines = await this.translateAll(typeof input === 'string' ? [input] : input, options);
    const best = lines.map(({ translations }) => translations[0].text);
    return typeof input === 'string' ? best[0] : best;
  }

  /** Every decoding result of each line, in order. Blank lines are their own translation. */
  async translateAll(lines: readonly string[], options: TranslateOptions = {}): Promise<TranslatedLine[]> {
    return this.translateNumbered(numbered(lines, options.firstLine ?? 0), options);
  }

  /** The same for some lines of a larger input, each with its number there. */
  async translateNumbered(lines: readonly NumberedLine[], options: TranslateOptions = {}): Promise<TranslatedLine[]> {
    return this.translateWindow(lines, this.plan(options));
  }

  /** Line i of the output is for line i of the input; reads at most one window ahead. */
  async *translateLines(
    lines: AsyncIterable<string> | Iterable<string>,
    options: TranslateOptions = {},
  ): AsyncGenerator<TranslatedLine> {
    const plan = this.plan(options);
    yield* throughWindows(lines, options, (window) => this.translateWindow(window, plan));
  }

  /**
   * Streams the translation as it is generated, by greedy search, or by sampling if the options select it. Yields each new part
   * of the text and returns the whole translation. Returning early from the iteration aborts the search.
   */
  async *stream(text: string, options: TranslateOptions = {}): AsyncGenerator<string, Translation> {
    const plan = this.streamPlan(options);
    if (isBlank(text)) {
      const [translation] = untouched(text).translations;
      yield text;
      return translation;
    }
    return yield* streamText({
      run: async (control) => {
        const [{ translations }] = await this.translateBatch(
          [this.line({ source: text, number: plan.firstLine }, 0, plan)],
          plan,
          control,
        );
        return translations[0];
      },
      decode: (tokens) => this.model.targetTokenizer.decode(tokens),
      signal: options.signal,
    });
  }

  /**
   * The log-probability of given translations, by one pass over each. Equals that of a search for the same pieces, up to
   * the rounding of float32 (about 1e-6 a token).
   */
  async score(pairs: readonly ScorePair[], options: ScoreOptions = {}): Promise<PairScore[]> {
    const { lengthPenalty: penalty = 'none', batchTokens = 1024, firstLine = 0 } = options;
    const tag = tagIds(this.model, options);
    const divisor = typeof penalty === 'string' ? parseLengthPenalty(penalty) : penalty;
    const results = new Array<PairScore>(pairs.length);
    const work = pairs.map((pair, place) => this.idPair(pair, { tag, place, number: firstLine + place }));
    for (const batch of batchesByLength(work, batchTokens)) {
      const rows = await scoreTogether(
        this.members.map(({ scorer }) => scorer),
        batch,
      );
      for (const [row, { place, target }] of batch.entries()) {
        const logProbabilities = rows[row];
        const total = logProbabilities.reduce((sum, value) => sum + value, 0);
        const pieces = this.model.targetTokenizer.pieces(target);
        const score = total / lengthPenalty(divisor, logProbabilities.length);
        results[place] = { pieces, logProbabilities, total, score };
      }
    }
    return results;
  }

  /**
   * A trace of what the model computes for a text and a translation of it: tokens, probabilities, attention, and on request
   * every intermediate result and the search. A blank text is read as it is; its own translation is empty, and not searched.
   * @throws HeedError for an ensemble, and for options as in translation
   */
  async trace(text: string, options: TraceOptions = {}): Promise<Trace> {
    const [{ tracer }, ...others] = this.members;
    if (others.length > 0)
      throw new HeedError('trace', `looks into one model, got an ensemble of ${others.length + 1}; load one of them.`);
    const { view, rest } = traceView(options, tracer.layers);
    const plan = this.plan(rest);
    const line = this.line({ source: text, number: plan.firstLine }, 0, plan);
    const recorder = new SearchRecorder(plan.decoding, this.model.targetTokenizer);
    const isSearched = !isBlank(text) && (view.search || view.translation === undefined);
    const control = { signal: plan.signal, onEvent: recorder.listen };
    const found = isSearched ? await this.translateBatch([line], plan, control) : [];
    const target = view.translation ?? found[0]?.translations[0].tokens ?? [];
    const pair = this.idPair({ source: text, target }, { ...plan, place: 0, number: plan.firstLine });
    const trace = await tracer.trace({ ...pair, text }, view);
    return isSearched && view.search ? { ...trace, search: recorder.trace() } : trace;
  }

  async release(): Promise<void> {
    for (const member of this.members) await member.release();
  }

  private async translateWindow(lines: readonly NumberedLine[], plan: Plan): Promise<TranslatedLine[]> {
    const results = lines.map(({ source }) => (isBlank(source) ? untouched(source) : undefined));
    const work = lines.flatMap((line, place) => (results[place] === undefined ? [this.line(line, place, plan)] : []));
    for (const batch of batchesByLength(work, plan.batchTokens)) {
      const translated = await this.translateBatch(batch, plan);
      for (const [i, { place }] of batch.entries()) results[place] = translated[i];
    }
    return results.filter((line) => line !== undefined);
  }

  private async translateBatch(
    batch: readonly Line[],
    plan: Plan,
    control: Pick<SearchControl, 'onEvent' | 'onToken' | 'signal'> = { signal: plan.signal },
  ): Promise<TranslatedLine[]> {
    const { sourceTokenizer, targetTokenizer } = this.model;
    const sources = batch.map(({ ids }) => ids);
    const models = await Promise.all(this.members.map((member) => member.start(sources, plan)));
    const terms = batch.map(({ source }) => plan.glossary?.entriesIn(source).map(({ target }) => target) ?? []);
    const sentences = batch.map(({ ids, number }, i) => ({
      sourceLength: ids.length,
      number,
      prefix: plan.prefix,
      forcedPhrases: terms[i].map((term) => forcedPhrase(targetTokenizer, term)),
    }));
    const results = await search(models.length === 1 ? models[0] : ensemble(models), sentences, plan.decoding, {
      ...control,
      controlTokens: this.controlTokens,
      distinctBy: (tokens) => targetTokenizer.decode(tokens),
    });
    for (const model of models) model.release();
    return results.map(({ hypotheses }, i) => {
      const sourcePieces = sourceTokenizer.pieces(batch[i].ids);
      const context = {
        tokenizer: targetTokenizer,
        sourcePieces,
        tagPieces: plan.tag.length,
        terms: terms[i],
        showsAttention: plan.showsAttention,
      };
      return {
        source: batch[i].source,
        sourcePieces,
        translations: hypotheses.map((hypothesis) => translationOf(hypothesis, context)),
      };
    });
  }

  private plan(options: TranslateOptions): Plan {
    return planOf(options, this.model, this.maxPositions);
  }

  private streamPlan(options: TranslateOptions): Plan {
    const plan = this.plan({ ...options, beam: options.beam ?? 1 });
    const { beam, nBest, alternatives } = plan.decoding;
    const refuse = (what: string): never => {
      throw new HeedError('stream', `writes one translation that it never revises, got ${what}; leave it out.`);
    };
    if (beam > 1) refuse(`beam ${beam}`);
    if (nBest > 1) refuse(`nBest ${nBest}`);
    if (alternatives) refuse('alternatives');
    if (plan.glossary !== undefined) refuse('a glossary');
    return plan;
  }

  private line(line: NumberedLine, place: number, { tag }: Plan): Line {
    const ids = this.sourceIds(line, tag);
    return { ...line, ids, place, length: ids.length };
  }

  private sourceIds({ source, number }: NumberedLine, tag: readonly number[]): Int32Array {
    const { sourceTokenizer } = this.model;
    const ids = Int32Array.of(...tag, ...sourceTokenizer.encode(source), sourceTokenizer.endId);
    this.checkLength('the source', ids.length, number);
    return ids;
  }

  private idPair(
    { source, target }: ScorePair,
    { tag, place, number }: { tag: readonly number[]; place: number; number: number },
  ) {
    const ids = typeof target === 'string' ? [...this.model.targetTokenizer.encode(target)] : target;
    this.checkLength('the target', ids.length + 1, number);
    const sourceIds = this.sourceIds({ source, number }, tag);
    return { place, source: sourceIds, target: ids, length: Math.max(sourceIds.length, ids.length + 1) };
  }

  private checkLength(side: string, length: number, number: number): void {
    if (!(length > this.maxPositions)) return;
    const rule = `${side} must fit into this model's ${this.maxPositions} learned positions`;
    throw new HeedError(`line ${number + 1}`, `${rule}, got ${length} pieces with the end; split it.`);
  }
}

interface Line extends NumberedLine {
  readonly ids: Int32Array;
  /** Its index among the lines of the window. */
  readonly place: number;
  readonly length: number;
}
