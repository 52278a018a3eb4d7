import { afterEach, describe, expect, it, vi } from 'vitest';
import { datesSplit, generateDates, letterCases, spell, spellingsByLocale } from './dates.ts';

afterEach(() => vi.restoreAllMocks());

const spellings = spellingsByLocale().flat();
const cases = [...new Set(letterCases)];
const variants = (day: string) =>
  spellings.flatMap((spelling) => {
    const written = spell(day, spelling);
    return cases.map((inCase) => inCase(written, spelling.locale));
  });

describe('spell', () => {
  it('writes as people of twelve languages do', () => {
    expect(new Set(spellings.map(({ locale }) => locale.slice(0, 2))).size).toBe(12);
    const written = variants('2021-03-03');
    for (const text of [
      'Wednesday, March 3rd, 2021',
      'Wed, 3 Mar 2021',
      '3. MÄRZ 2021',
      'mercredi 3 mars 2021',
      'miércoles, 3 de marzo de 2021',
      'mercoledì 3 marzo 2021',
      '3 de março de 2021',
      '3 maart 2021',
      'środa, 3 marca 2021',
      'среда, 3 марта 2021 г.',
      '2021年3月3日星期三',
      '2021年3月3日水曜日',
      '3 Mart 2021 Çarşamba',
      '2021/3/3',
    ])
      expect(written).toContain(text);
  });

  it('gives English ordinals their suffixes', () => {
    const written = (day: string) => variants(day).join('\n');
    expect(written('1999-12-01')).toContain('December 1st, 1999');
    expect(written('1999-12-02')).toContain('2nd December 1999');
    expect(written('1999-12-11')).toContain('December 11th, 1999');
    expect(written('1999-12-23')).toContain('December 23rd, 1999');
  });

  it('uses plain spaces and composed letters only', () => {
    for (const day of ['1900-01-01', '1944-08-25', '2096-02-29'])
      for (const text of variants(day)) {
        expect(text).not.toMatch(/[^\S ]/u);
        expect(text).toBe(text.normalize('NFC'));
      }
  });

  it('never writes two days alike, whatever the language: the answer can be known from the text', () => {
    const dayOf = new Map<string, string>();
    const confused: string[] = [];
    // A text holds its year in four digits, so that unlike years cannot be confused, only days, months and weekdays.
    for (const year of [1900, 2012, 2099])
      for (let time = Date.UTC(year, 0, 1); time < Date.UTC(year + 1, 0, 1); time += 86_400_000) {
        const day = new Date(time).toISOString().slice(0, 10);
        for (const text of variants(day)) {
          if (!text.includes(String(year)) || (dayOf.get(text) ?? day) !== day) confused.push(text);
          dayOf.set(text, day);
        }
      }
    expect(confused).toEqual([]);
    expect(dayOf.size).toBeGreaterThan(150_000);
  });
});

describe('generateDates', () => {
  it('is a function of the seed', () => {
    const options = { count: 200, seed: 3 };
    expect(generateDates(options)).toEqual(generateDates(options));
    expect(generateDates(options)).not.toEqual(generateDates({ ...options, seed: 4 }));
  });

  it('covers two hundred years, and valid days only', () => {
    const days = generateDates({ count: 5000, seed: 1 }).map((pair) => pair.target);
    for (const day of days) expect(new Date(day).toISOString().slice(0, 10)).toBe(day);
    const years = days.map((day) => Number(day.slice(0, 4)));
    expect(Math.min(...years)).toBeLessThan(1905);
    expect(Math.max(...years)).toBeGreaterThan(2095);
  });

  it('refuses to draw from no day at all', () => {
    const exclude: ReadonlySet<string> = Object.assign(new Set<string>(), { has: () => true });
    expect(() => generateDates({ count: 1, seed: 1, exclude })).toThrow('dates: at least one day must be left');
  });

  it('refuses a Node without the languages', () => {
    vi.spyOn(Intl.DateTimeFormat, 'supportedLocalesOf').mockImplementation((locale) => (locale === 'tr' ? [] : ['x']));
    expect(() => generateDates({ count: 1, seed: 1 })).toThrow('dates: Node must know its languages, but lacks tr;');
  });
});

describe('datesSplit', () => {
  it('keeps every test day out of training, in any language', () => {
    const { train, test } = datesSplit({ trainCount: 50_000, testCount: 2000, seed: 7 });
    expect([train.length, test.length]).toEqual([50_000, 2000]);
    const testDays = new Set(test.map((pair) => pair.target));
    expect(train.filter((pair) => testDays.has(pair.target))).toEqual([]);
    // Without the exclusion some of them would be there: 50,000 draws hit about half of all days.
    const days = new Set(generateDates({ count: 50_000, seed: 7 }).map((pair) => pair.target));
    expect([...testDays].filter((day) => days.has(day)).length).toBeGreaterThan(500);
  });
});
