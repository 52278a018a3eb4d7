// The translation of the current text: requested when the user pauses, while the previous request is aborted. A failure
// keeps the text and the last translation.

import { computed, effect, signal } from '@preact/signals';
import type { SentenceAnswer, TranslateAnswer, TranslateRequest } from '../../../src/serve/index.ts';
import { isAbort, post } from '../api.ts';
import { type AlignedText, alignedText, type ShownSentence } from './aligned.ts';
import { characterLimit, effectiveBeam, models } from './models.ts';
import { type Settings, settings } from './settings.ts';
import { words } from './words.ts';

interface Outcome {
  readonly isWorking: boolean;
  /** A message for the user; undefined without a failure. */
  readonly failure?: string;
}

export const outcome = signal<Outcome>({ isWorking: false });

/** The last answer, and the text that it translates. */
export const translated = signal<{ readonly text: string; readonly answer: TranslateAnswer } | undefined>(undefined);

/** The index of a sentence's shown translation, if it is not the best. */
const chosen = signal<ReadonlyMap<number, number>>(new Map());

/** Whether the shown translation is that of the current text. */
export const isCurrent = computed(() => translated.value?.text === settings.value.text);

const result = computed(() => translated.value?.answer.results[0]);

export const sentences = computed<readonly SentenceAnswer[]>(() => result.value?.sentences ?? []);

export function chosenTranslation(sentence: number): number {
  return chosen.value.get(sentence) ?? 0;
}

export function choose(sentence: number, translation: number): void {
  chosen.value = new Map(chosen.value).set(sentence, translation);
}

/** The whole translation, made of the chosen translation of each sentence. */
export const text = computed(() => {
  const parts = sentences.value.map(
    ({ translations, targetSeparator }, i) => translations[chosenTranslation(i)].text + targetSeparator,
  );
  return (result.value?.lead ?? '') + parts.join('');
});

export const aligned = computed<AlignedText>(() => {
  const start = result.value?.lead.length ?? 0;
  const at = { source: start, target: start };
  const shown = sentences.value.map((sentence, i): ShownSentence => {
    const translation = sentence.translations[chosenTranslation(i)];
    const starts = { ...at };
    at.source += sentence.source.length + sentence.separator.length;
    at.target += translation.text.length + sentence.targetSeparator.length;
    return { sentence, translation, starts };
  });
  return alignedText(shown);
});

/** Translates whenever the settings change; returns a function that stops it. */
export function translateWhenAsked(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request = new AbortController();
  const stop = effect(() => {
    const asked = settings.value;
    if (models.value === undefined) return;
    clearTimeout(timer);
    request.abort();
    request = new AbortController();
    const { signal } = request;
    timer = setTimeout(() => void translate(asked, signal), pauseMs);
  });
  return () => {
    stop();
    clearTimeout(timer);
    request.abort();
  };
}

/** Repeats the last request. */
export function translateAgain(): void {
  settings.value = { ...settings.value };
}

/** Debounce: longer than the gaps between keystrokes, and hardly noticeable. */
const pauseMs = 250;

async function translate(asked: Settings, signal: AbortSignal): Promise<void> {
  const limit = characterLimit.peek();
  const count = [...asked.text].length;
  if (asked.text.trim() === '') {
    translated.value = undefined;
    outcome.value = { isWorking: false };
    return;
  }
  if (limit !== undefined && count > limit) {
    outcome.value = { isWorking: false, failure: words.peek().tooLong(count, limit) };
    return;
  }
  outcome.value = { isWorking: true };
  try {
    const answer = await post<TranslateAnswer>('v1/translate', requestOf(asked), { signal });
    chosen.value = new Map();
    translated.value = { text: asked.text, answer };
    outcome.value = { isWorking: false };
  } catch (error) {
    if (!isAbort(error)) outcome.value = { isWorking: false, failure: (error as Error).message };
  }
}

function requestOf({ text, source, target, model, beam, lengthPenalty, alternatives }: Settings): TranslateRequest {
  const nBest = Math.min(alternatives + 1, effectiveBeam.peek());
  return {
    text,
    alignment: true,
    beam,
    source: source || undefined,
    target: target || undefined,
    model: model || undefined,
    lengthPenalty: lengthPenalty === undefined ? undefined : lengthPenalty === 0 ? 'none' : `gnmt:${lengthPenalty}`,
    ...(nBest > 1 ? { nBest, distinct: true } : {}),
  };
}
