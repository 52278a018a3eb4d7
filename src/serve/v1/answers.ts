// From a checked request of /v1 to the options of a translation, and from translations to the answer.

import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import { searchOptions } from '../../generate/index.ts';
import { Glossary, type Translation } from '../../translate/index.ts';
import type { Chosen } from '../models/choose-model.ts';
import type { SentenceOptions } from '../models/served-model.ts';
import { type TranslatedSentence, type TranslatedText, textOf } from '../service.ts';
import type { SentenceAnswer, TranslateAnswer, TranslationAnswer, translateRequest } from './schemas.ts';

type CheckedRequest = z.output<ReturnType<typeof translateRequest>>;

/** Which optional fields an answer has. */
export type AnswerFields = Pick<CheckedRequest, 'alignment' | 'attention'>;

/** @throws HeedError for a glossary that contradicts itself */
export function sentenceOptions(request: Partial<CheckedRequest>): SentenceOptions {
  const { sampling, prefix, ban, glossary, alignment, attention } = request;
  const names = Object.keys(searchOptions) as (keyof typeof searchOptions)[];
  return {
    ...Object.fromEntries(names.map((name) => [name, request[name]])),
    sampling,
    prefix,
    ban,
    ...(glossary === undefined ? {} : { glossary: new Glossary(glossary) }),
    attention: alignment || attention || false,
  };
}

/**
 * The JSON of a TranslateAnswer. It is written sentence by sentence, since attention makes it long, and other requests have
 * their turn in between.
 */
export async function translateAnswerJson(
  texts: readonly TranslatedText[],
  { model, direction, detected }: Chosen,
  shown: AnswerFields,
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
    results.push(objectJson({ text: textOf(text), lead: text.lead }, { sentences: arrayJson(sentences) }));
  }
  return objectJson(head, { results: arrayJson(results) });
}

/** Milliseconds of work after which other requests have their turn. */
const TURN_MS = 5;

/** The JSON of an object. @param fields plain values @param written values that are JSON already */
function objectJson(fields: object, written: Readonly<Record<string, string>>): string {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  const plain = known.map(([name, value]): [string, string] => [name, JSON.stringify(value)]);
  const members = [...plain, ...Object.entries(written)].map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  return `{${members.join(',')}}`;
}

/** The JSON of an array. @param values JSON already */
function arrayJson(values: readonly string[]): string {
  return `[${values.join(',')}]`;
}

function sentenceAnswerOf(
  { line, separator, targetSeparator }: TranslatedSentence,
  shown: AnswerFields,
): SentenceAnswer {
  const { source, sourcePieces, translations } = line;
  return {
    source,
    separator,
    targetSeparator,
    sourcePieces: [...sourcePieces],
    translations: translations.map((translation) => translationAnswerOf(translation, shown)),
  };
}

export function translationAnswerOf(translation: Translation, shown: AnswerFields): TranslationAnswer {
  const { text, score, pieces, tokens, logProbabilities, reason, missingTerms, alignment, attention } = translation;
  return {
    text,
    score: rounded(score),
    reason,
    pieces: [...pieces],
    tokens: [...tokens],
    missingTerms: [...missingTerms],
    logProbabilities: logProbabilities.map(rounded),
    ...(shown.alignment && alignment
      ? { alignment: { pieces: [...alignment.pieces], words: [...alignment.words] } }
      : {}),
    ...(shown.attention && attention ? { attention: attention.map((row) => Array.from(row, rounded)) } : {}),
  };
}

/** More digits than float32 holds would double the length of the JSON. */
function rounded(value: number): number {
  return Number(value.toFixed(6));
}
