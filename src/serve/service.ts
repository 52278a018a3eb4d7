// What all interfaces of the server share: the models, the documents thread, and how a text is translated.

import { type DetectedLanguage, separatorOf } from '../documents/index.ts';
import { DocumentsThread, type DocumentTask, type SplitResult, type SplitTask } from '../documents/node.ts';
import { type Direction, type TranslatedLine, untouched } from '../translate/index.ts';
import type { Metrics } from './metrics.ts';
import type { ModelFolder } from './models/model-names.ts';
import { Models } from './models/models.ts';
import type { ServedModel, TranslationRequest } from './models/served-model.ts';
import type { ServeOptions } from './options.ts';

/** A text in sentences, each with its decoding results. */
export interface TranslatedText {
  readonly lead: string;
  readonly sentences: readonly TranslatedSentence[];
}

export interface TranslatedSentence {
  readonly line: TranslatedLine;
  /** White space behind the sentence. */
  readonly separator: string;
  /** White space behind its best translation, which depends on the scripts of both languages. */
  readonly targetSeparator: string;
}

export interface SourceDetection {
  readonly texts: readonly string[];
  readonly format: 'text' | 'html';
  /** Undefined: any. */
  readonly target: string | undefined;
  /** To choose from; default: those of all models. */
  readonly directions?: readonly Direction[] | undefined;
}

export class Service {
  private constructor(
    readonly models: Models,
    private readonly documents: DocumentsThread,
    private readonly metrics: Metrics,
  ) {}

  /** @throws HeedError for a model that cannot be loaded */
  static async start(folders: readonly ModelFolder[], options: ServeOptions, metrics: Metrics): Promise<Service> {
    const { workers, batchTokens, batchWaitMs } = options;
    const onCrash = () => metrics.crashed();
    const onBatch = (model: string, sentences: number) => metrics.batch(model, sentences);
    const models = await Models.load(folders, { workers, batchTokens, batchWaitMs, onBatch, onCrash });
    return new Service(models, new DocumentsThread(onCrash), metrics);
  }

  /** A document, its white space, markup, addresses and placeholders kept; in several versions, best first. */
  translateDocument(
    document: Omit<DocumentTask, 'language'>,
    model: ServedModel,
    request: TranslationRequest,
  ): Promise<readonly string[]> {
    this.count(model, [document.text]);
    const task = { ...document, language: request.direction.source };
    return this.documents.translateDocument(task, ({ sentences, withLinks }) =>
      model.translate(sentences, { ...request, options: { ...request.options, attention: withLinks } }),
    );
  }

  /** The sentences of texts with every decoding result. Without `split` each text is one sentence. */
  async translateTexts(
    texts: readonly string[],
    model: ServedModel,
    { split, ...request }: TranslationRequest & { readonly split: boolean },
  ): Promise<TranslatedText[]> {
    this.count(model, texts);
    const { source: language } = request.direction;
    const parts = await Promise.all(texts.map((text) => (split ? this.split({ text, language }) : unsplit(text))));
    const wanted = parts.flatMap(({ sentences }) =>
      sentences.flatMap(({ text, hasWords }) => (hasWords ? [text] : [])),
    );
    const lines = (await model.translate(wanted, request)).values();
    return parts.map(({ lead, sentences }) => {
      const translated = sentences.map(({ text, hasWords }) => (hasWords ? lines.next().value! : untouched(text)));
      return { lead, sentences: separated(translated, sentences) };
    });
  }

  /** The sentences of a text, and which of them there is anything to translate in. */
  split(task: SplitTask): Promise<SplitResult> {
    return this.documents.split(task);
  }

  /** Best first; the languages of the models before others that are as likely. */
  detect(texts: readonly string[]): Promise<readonly DetectedLanguage[]> {
    return this.documents.detectLanguages({ text: texts.join('\n'), format: 'text', known: this.models.languages });
  }

  /** The most probable language that can be translated, to the target if that is given; confidence 0 if none is likely. */
  async detectSource({
    texts,
    format,
    target,
    directions = this.models.directions,
  }: SourceDetection): Promise<DetectedLanguage> {
    const fitting = directions.filter((direction) => target === undefined || direction.target === target);
    const known = [...new Set((fitting.length > 0 ? fitting : directions).map(({ source }) => source))];
    const ranked = await this.documents.detectLanguages({ text: texts.join('\n'), format, known });
    const likely = ranked.find(({ language }) => known.includes(language));
    return likely ?? { language: known[0] ?? ranked[0].language, confidence: 0 };
  }

  async release(): Promise<void> {
    await Promise.all([this.models.release(), this.documents.release()]);
  }

  private count(model: ServedModel, texts: readonly string[]): void {
    this.metrics.translating(
      model.name,
      texts.reduce((sum, text) => sum + text.length, 0),
    );
  }
}

/** The text made of the best translations. */
export function textOf({ lead, sentences }: TranslatedText): string {
  return lead + sentences.map(({ line, targetSeparator }) => line.translations[0].text + targetSeparator).join('');
}

function unsplit(text: string) {
  return { lead: '', sentences: [{ text, separator: '', hasWords: true }] };
}

function separated(
  lines: readonly TranslatedLine[],
  sentences: readonly { readonly separator: string }[],
): TranslatedSentence[] {
  return lines.map((line, i) => {
    const { separator } = sentences[i];
    const next = lines[i + 1];
    if (next === undefined) return { line, separator, targetSeparator: separator };
    const best = [line, next].map(({ translations: [{ text }] }) => text);
    return { line, separator, targetSeparator: separatorOf(separator, [line.source, next.source], [best[0], best[1]]) };
  });
}
