// Text in, text out: lines become ids, batches of like length are searched, results come back in the order of the lines.

import { HeedError } from '../base/error.ts';
import { type DecodeOptionsInput, decodeOptions, type HypothesisResult, search } from '../decode/index.ts';
import type { StoredModel } from '../model/index.ts';
import type { Compile } from '../runtime/index.ts';
import { TranslationEngine } from './engine.ts';

/** How a translator decodes: every option of decoding, and what does not change results. */
export interface TranslateOptions extends DecodeOptionsInput {
  /** Source tokens of a batch, padding included, at most; more are faster up to a point. Default 1024. */
  readonly batchTokens?: number;
  /** Lines read ahead to be sorted by length. Default 1024. */
  readonly windowLines?: number;
  readonly signal?: AbortSignal;
}

export interface TranslatorSetup {
  readonly compile: Compile;
  /** Threads within an operator; default: all cores. */
  readonly threads?: number | undefined;
  /** Decoder layer whose attention to the source is recorded; default: none. */
  readonly attentionLayer?: number | undefined;
  readonly weights?: 'constants' | 'fed';
}

export interface Translation {
  readonly text: string;
  /** Σ log p / length penalty. */
  readonly score: number;
  /** The pieces of the text, ▁ for a space. */
  readonly pieces: readonly string[];
  /** Of each piece, and of the end where `reason` is `end`. */
  readonly logProbabilities: readonly number[];
  readonly reason: HypothesisResult['reason'] | 'blank';
  /** [pieces][source pieces, END last]: attention to the source; undefined unless recorded. */
  readonly attention?: readonly Float32Array[] | undefined;
}

export interface TranslatedLine {
  readonly source: string;
  readonly sourcePieces: readonly string[];
  /** Best first; the first is the translation. */
  readonly translations: readonly Translation[];
}

export class Translator {
  private readonly engine: TranslationEngine;
  private readonly controlTokens: readonly number[];

  constructor(
    private readonly model: StoredModel,
    setup: TranslatorSetup,
  ) {
    const { targetTokenizer: target } = model;
    this.engine = new TranslationEngine(setup.compile, model.config, model.parameters, {
      startId: target.startId,
      endId: target.endId,
      threads: setup.threads,
      attentionLayer: setup.attentionLayer,
      weights: setup.weights ?? 'constants',
    });
    this.controlTokens = target.controlTokens
      .map((token) => target.controlId(token))
      .filter((id) => id !== target.endId);
  }

  /** Loads a model folder, to run with Node's native engine. */
  static async load(folder: string, setup: Omit<Partial<TranslatorSetup>, 'compile'> = {}): Promise<Translator> {
    // Loaded on demand, so that a page can use the class without Node's file system and engine.
    const [{ loadModel }, node] = await Promise.all([import('../model/node.ts'), import('../runtime/node.ts')]);
    return new Translator(await loadModel(folder), { compile: node.compile, ...setup });
  }

  /** The best translation of a text, or of each of several. */
  async translate(text: string, options?: TranslateOptions): Promise<string>;
  async translate(texts: readonly string[], options?: TranslateOptions): Promise<string[]>;
  async translate(input: string | readonly string[], options: TranslateOptions = {}): Promise<string | string[]> {
    const lines = await this.translateAll(typeof input === 'string' ? [input] : input, options);
    const best = lines.map(({ translations }) => translations[0].text);
    return typeof input === 'string' ? best[0] : best;
  }

  /** All that decoding says of each line, in order. Blank lines are their own translation. */
  async translateAll(lines: readonly string[], options: TranslateOptions = {}): Promise<TranslatedLine[]> {
    const results = new Array<TranslatedLine>(lines.length);
    const work = lines.map((source, place) => ({ place, source, ids: this.encode(source) }));
    for (const { place, source } of work.filter(({ source }) => isBlank(source))) results[place] = untouched(source);
    const { batchTokens = 1024 } = options;
    for (const batch of batchesByLength(
      work.filter(({ source }) => !isBlank(source)),
      batchTokens,
    )) {
      const translated = await this.translateBatch(batch, options);
      batch.forEach(({ place }, i) => {
        results[place] = translated[i];
      });
    }
    return results;
  }

  /** Line i of the output belongs to line i of the input; reads no more than a window ahead. */
  async *translateLines(lines: AsyncIterable<string> | Iterable<string>, options: TranslateOptions = {}) {
    const { windowLines = 1024 } = options;
    let window: string[] = [];
    for await (const line of lines) {
      window.push(line);
      if (window.length < windowLines) continue;
      yield* await this.translateAll(window, options);
      window = [];
    }
    yield* await this.translateAll(window, options);
  }

  release(): Promise<void> {
    return this.engine.release();
  }

  private async translateBatch(batch: readonly Line[], options: TranslateOptions): Promise<TranslatedLine[]> {
    const { batchTokens: _, windowLines: __, signal, ...decoding } = options;
    const { targetTokenizer } = this.model;
    const stepModel = await this.engine.start(batch.map(({ ids }) => ids));
    const sentences = batch.map(({ ids, place }) => ({ sourceLength: ids.length, number: place }));
    const results = await search(stepModel, sentences, this.decoding(decoding), {
      signal,
      controlTokens: this.controlTokens,
      distinctBy: (tokens) => targetTokenizer.decode(tokens),
    });
    return results.map(({ hypotheses }, i) => ({
      source: batch[i].source,
      sourcePieces: this.model.sourceTokenizer.pieces(batch[i].ids),
      translations: hypotheses.map((hypothesis) => this.describe(hypothesis)),
    }));
  }

  /** The model's own defaults below the caller's wishes, and no longer than a learned position table. */
  private decoding(wishes: DecodeOptionsInput): DecodeOptionsInput {
    const options = { ...this.model.generation, ...wishes };
    const { positions, maxPositions } = this.model.config;
    if (positions !== 'learned') return options;
    return { ...options, maxLength: Math.min(maxPositions, decodeOptions(options).maxLength ?? maxPositions) };
  }

  private describe({ tokens, score, logProbabilities, reason, attention }: HypothesisResult): Translation {
    const { targetTokenizer } = this.model;
    const pieces = targetTokenizer.pieces(tokens);
    return { text: targetTokenizer.decode(tokens), score, pieces, logProbabilities, reason, attention };
  }

  private encode(source: string): Int32Array {
    const { sourceTokenizer, config } = this.model;
    const ids = Int32Array.of(...sourceTokenizer.encode(source), sourceTokenizer.endId);
    if (config.positions === 'learned' && ids.length > config.maxPositions) {
      const rule = `this model has learned ${config.maxPositions} positions`;
      throw new HeedError('translate', `${rule}, got a line of ${ids.length} pieces; split it.`);
    }
    return ids;
  }
}

interface Line {
  /** Its place among the lines given. */
  readonly place: number;
  readonly source: string;
  readonly ids: Int32Array;
}

/** Lines of like length together, each batch at most `batchTokens` with its padding; a longer line is a batch alone. */
function batchesByLength(lines: readonly Line[], batchTokens: number): Line[][] {
  const batches: Line[][] = [];
  for (const line of lines.toSorted((a, b) => b.ids.length - a.ids.length || a.place - b.place)) {
    const batch = batches.at(-1);
    // The first line of a batch is its longest.
    if (batch !== undefined && (batch.length + 1) * batch[0].ids.length <= batchTokens) batch.push(line);
    else batches.push([line]);
  }
  return batches;
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function untouched(source: string): TranslatedLine {
  const translation: Translation = { text: source, score: 0, pieces: [], logProbabilities: [], reason: 'blank' };
  return { source, sourcePieces: [], translations: [translation] };
}
