// A checked request of /v1 as the options of decoding, and translations as its answer.

import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import { searchOptions } from '../generate/index.ts';
import { Glossary, type Translation } from '../translate/index.ts';
import type { Chosen } from './chosen.ts';
import type { SentenceOptions } from './served-model.ts';
import { type TranslatedSentence, type TranslatedText, textOf } from './service.ts';
import type { SentenceAnswer, TranslateAnswer, TranslationAnswer, translateRequest } from './v1-schemas.ts';

type CheckedRequest = z.output<ReturnType<typeof translateRequest>>;

/** What an answer shows beside the text. */
export type Shown = Pick<CheckedRequest, 'alignment' | 'attention'>;

/** @throws HeedError for a glossary that contradicts itself */
export function sentenceOptions(request: Partial<CheckedRequest>): SentenceOptions {
  const { sampling, prefix, ban, glossary, alignment, attention } = request;
  const wished = Object.keys(searchOptions) as (keyof typeof searchOptions)[];
  return {
    ...Object.fromEntries(wished.map((name) => [name, request[name]])),
    ...{ sampling, prefix, ban },
    ...(glossary === undefined ? {} : { glossary: new Glossary(glossary) }),
    attention: alignment || attention || false,
  };
}

/**
 * The JSON of a TranslateAnswer, written sentence by sentence: attention makes it long, and others must be served meanwhile.
 */
export async function translateAnswerJson(
  texts: readonly TranslatedText[],
  { model, direction, detected }: Chosen,
  shown: Shown,
): Promise<string> {
  const head: Omit<TranslateAnswer, 'results'> = { model: model.name, ...direction, detectedLanguage: detected };
  const results: string[] = [];
  let turnEnds = performance.now() + TURN_MS;
  for (const text of texts) {
    const sentences: string[] = [];
    for (const sentence of text.sentences) {
      sentences.push(JSON.stringify(sentenceAnswerOf(sentence, shown)));
      if (performance.now() < turnEnds) continue;
      await setImmediate();
      turnEnds = performance.now() + TURN_MS;
    }
    const whole = JSON.stringify({ text: textOf(text), lead: text.lead, sentences: [] });
    results.push(`${whole.slice(0, -']}'.length)}${sentences.join(',')}]}`);
  }
  return `${JSON.stringify({ ...head, results: [] }).slice(0, -']}'.length)}${results.join(',')}]}`;
}

/** Milliseconds of work after which others have their turn. */
const TURN_MS = 5;

function sentenceAnswerOf({ line, separator, targetSeparator }: TranslatedSentence, shown: Shown): SentenceAnswer {
  const { source, sourcePieces, translations } = line;
  return {
    ...{ source, separator, targetSeparator },
    sourcePieces: [...sourcePieces],
    translations: translations.map((translation) => translationAnswerOf(translation, shown)),
  };
}

export function translationAnswerOf(translation: Translation, shown: Shown): TranslationAnswer {
  const { text, score, pieces, tokens, logProbabilities, reason, missingTerms, alignment, attention } = translation;
  return {
    ...{ text, score: rounded(score), reason },
    ...{ pieces: [...pieces], tokens: [...tokens], missingTerms: [...missingTerms] },
    logProbabilities: logProbabilities.map(rounded),
    ...(shown.alignment && alignment
      ? { alignment: { pieces: [...alignment.pieces], words: [...alignment.words] } }
      : {}),
    ...(shown.attention && attention ? { attention: attention.map((row) => Array.from(row, rounded)) } : {}),
  };
}

/** Float32 holds no more than this, and JSON of it would be twice as long. */
function rounded(value: number): number {
  return Number(value.toFixed(6));
}
