// The user's settings: the text, the languages, the search options. They are kept in the URL, so that a link restores them.

import { effect, signal } from '@preact/signals';
import { route, setParameters } from '../router.ts';

export interface Settings {
  readonly text: string;
  /** Language codes; `auto` lets the server detect the source, '' is the model's own. */
  readonly source: string;
  readonly target: string;
  /** Name of a model, if it is not selected by languages; '' otherwise. */
  readonly model: string;
  /** Undefined: the model's own. */
  readonly beam: number | undefined;
  /** α of GNMT's length penalty; 0 is none. Undefined: the model's own. */
  readonly lengthPenalty: number | undefined;
  /** Number of alternative translations. */
  readonly alternatives: number;
}

export const limits = {
  beam: { min: 1, max: 8, step: 1 },
  lengthPenalty: { min: 0, max: 2, step: 0.1 },
  alternatives: { min: 0, max: 4, step: 1 },
} as const;

export const settings = signal<Settings>(settingsOf(route.value.parameters));

export function change(changes: Partial<Settings>): void {
  const next = { ...settings.value, ...changes };
  settings.value = { ...next, text: withLineFeeds(next.text) };
}

/** Text fields have line feeds only. */
function withLineFeeds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** Reads a permalink. Numbers are clamped to their limits; other values are ignored. */
function settingsOf(parameters: URLSearchParams): Settings {
  const text = (name: string) => parameters.get(name) ?? '';
  const number = (name: keyof typeof limits) => {
    const value = Number.parseFloat(text(name));
    const { min, max, step } = limits[name];
    return Number.isNaN(value) ? undefined : Math.min(max, Math.max(min, step === 1 ? Math.round(value) : value));
  };
  return {
    text: withLineFeeds(text('text')),
    source: text('source'),
    target: text('target'),
    model: text('model'),
    beam: number('beam'),
    lengthPenalty: number('lengthPenalty'),
    alternatives: number('alternatives') ?? 0,
  };
}

/** The parameters of a permalink; '' and undefined are omitted. */
function parametersOf({ alternatives, beam, lengthPenalty, ...texts }: Settings): Record<string, string> {
  const numbers = { beam, lengthPenalty, alternatives: alternatives === 0 ? undefined : alternatives };
  return {
    ...texts,
    ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, value?.toString() ?? ''])),
  };
}

/**
 * Keeps settings and URL in step. Writes are debounced, since browsers limit how often the URL may change. Returns a
 * function that stops it.
 */
export function followAddress(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    timer = undefined;
    setParameters(parametersOf(settings.peek()));
  };
  const stopWriting = effect(() => {
    void settings.value;
    clearTimeout(timer);
    timer = setTimeout(write, addressDelayMs);
  });
  const read = () => {
    settings.value = settingsOf(route.value.parameters);
  };
  read();
  addEventListener('hashchange', read);
  return () => {
    stopWriting();
    clearTimeout(timer);
    removeEventListener('hashchange', read);
  };
}

const addressDelayMs = 300;
