// A generated task that trains within minutes and needs no data: dates as people write them in twelve languages
// into ISO 8601, `mercredi 3 mars 2021` → `2021-03-03`. The forms are CLDR's, through Intl.DateTimeFormat: the same
// seed gives the same texts wherever the ICU version is the same; another may spell a month differently.

import { HeedError } from '../base/error.ts';
import { Random } from '../base/random.ts';
import type { TextPair } from './pairs.ts';

type Form = Readonly<Intl.DateTimeFormatOptions>;

/** Forms with the month by name, or between 年 and 月: the text alone says which number is the day. */
const named: readonly Form[] = [
  { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  { weekday: 'long', year: 'numeric', month: 'short', day: 'numeric' },
  { weekday: 'short', year: 'numeric', month: 'long', day: 'numeric' },
  { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' },
  { year: 'numeric', month: 'long', day: 'numeric' },
  { year: 'numeric', month: 'short', day: 'numeric' },
  { year: 'numeric', month: 'long', day: '2-digit' },
];

/** Also `4.3.2021`, never month first, and `2021/03/04`, never day next; but not `03/04/2021` and `03-04-2021`. */
const namedAndNumeric: readonly Form[] = [
  ...named,
  { year: 'numeric', month: '2-digit', day: '2-digit' },
  { year: 'numeric', month: 'numeric', day: 'numeric' },
];

/** The twelve languages (English twice, American and British), and the forms that are unmistakable in each. */
const formsOf: ReadonlyMap<string, readonly Form[]> = new Map([
  ['en-US', named],
  ['en-GB', named],
  ['de', namedAndNumeric],
  ['fr', named],
  ['es', named],
  ['it', named],
  ['pt', named],
  ['nl', named],
  ['pl', namedAndNumeric],
  ['ru', namedAndNumeric],
  ['zh', namedAndNumeric],
  ['ja', namedAndNumeric],
  ['tr', namedAndNumeric],
]);

/** One way to write any date. */
export interface Spelling {
  readonly locale: string;
  readonly format: Intl.DateTimeFormat;
  /** `March 3rd`: English only. */
  readonly ordinal: boolean;
}

const firstDay = Date.UTC(1900, 0, 1);
const lastDay = Date.UTC(2099, 11, 31);
const dayMs = 86_400_000;

export interface DatesOptions {
  readonly count: number;
  readonly seed: number;
  /** ISO days that must not occur. Default none. */
  readonly exclude?: ReadonlySet<string>;
}

/**
 * `count` dates between 1900-01-01 and 2099-12-31, each in a language, form and letter case drawn at random. No two
 * days share a source text, whatever the language.
 * @throws HeedError if no day is left, or if this Node lacks the languages
 */
export function generateDates({ count, seed, exclude = new Set() }: DatesOptions): TextPair[] {
  const days = isoDays().filter((day) => !exclude.has(day));
  if (days.length === 0) throw new HeedError('dates', 'at least one day must be left to draw from, got all excluded.');
  const spellings = spellingsByLocale();
  const random = Random.of(seed, 'dates');
  return Array.from({ length: count }, () => {
    const target = random.pick(days);
    const spelling = random.pick(random.pick(spellings));
    const written = spell(target, spelling);
    return { source: random.pick(letterCases)(written, spelling.locale), target };
  });
}

/** Training and test dates, such that no day of the test occurs in training, in any language or form. */
export function datesSplit(options: {
  readonly trainCount: number;
  readonly testCount: number;
  readonly seed: number;
}): {
  train: TextPair[];
  test: TextPair[];
} {
  const seeds = Random.of(options.seed, 'dates split');
  const test = generateDates({ count: options.testCount, seed: seeds.uint32() });
  const exclude = new Set(test.map((pair) => pair.target));
  return { train: generateDates({ count: options.trainCount, seed: seeds.uint32(), exclude }), test };
}

/** All spellings, a list a locale. */
export function spellingsByLocale(): Spelling[][] {
  const locales = [...formsOf.keys()];
  const missing = locales.filter((locale) => Intl.DateTimeFormat.supportedLocalesOf(locale).length === 0);
  if (missing.length > 0)
    throw new HeedError(
      'dates',
      `Node must know its languages, but lacks ${missing.join(', ')}; use a build with full ICU.`,
    );
  return locales.map((locale) =>
    (formsOf.get(locale) ?? []).flatMap((form) => {
      const format = new Intl.DateTimeFormat(locale, { ...form, ...everywhereAlike });
      const takesOrdinal = locale.startsWith('en') && form.day === 'numeric';
      return (takesOrdinal ? [false, true] : [false]).map((ordinal) => ({ locale, format, ordinal }));
    }),
  );
}

const everywhereAlike: Form = { calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' };

/** `2021-03-03` as a person would write it: NFC, with plain spaces only. */
export function spell(day: string, { format, ordinal }: Spelling): string {
  const parts = format.formatToParts(Date.parse(day));
  const words = parts.map(({ type, value }) =>
    ordinal && type === 'day' ? value + ordinalSuffix(Number(value)) : value,
  );
  return words.join('').normalize('NFC').replace(/\s/gu, ' ');
}

function ordinalSuffix(day: number): string {
  const rule = englishOrdinals.select(day);
  return rule === 'one' ? 'st' : rule === 'two' ? 'nd' : rule === 'few' ? 'rd' : 'th';
}

const englishOrdinals = new Intl.PluralRules('en', { type: 'ordinal' });

type LetterCase = (text: string, locale: string) => string;
const asWritten: LetterCase = (text) => text;
const lower: LetterCase = (text, locale) => text.toLocaleLowerCase(locale);
const upper: LetterCase = (text, locale) => text.toLocaleUpperCase(locale);

/** Drawn from evenly: two texts in eight are in small letters or capitals only. */
export const letterCases: readonly LetterCase[] = [...Array.from({ length: 6 }, () => asWritten), lower, upper];

function isoDays(): string[] {
  return Array.from({ length: (lastDay - firstDay) / dayMs + 1 }, (_, i) =>
    new Date(firstDay + i * dayMs).toISOString().slice(0, 10),
  );
}
