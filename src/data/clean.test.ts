import { describe, expect, it } from 'vitest';
import { Cleaner, type CleanOptions, describeDropped, lengthRatio } from './clean.ts';
import type { TextPair } from './pairs.ts';

const length = (text: string) => text.split(' ').filter((word) => word !== '').length;
const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`).join(' ');
const pair = (source: string, target: string): TextPair => ({ source, target });

/** The report on pairs whose pieces are words. */
function clean(pairs: TextPair[], options?: CleanOptions) {
  const cleaner = new Cleaner(options);
  const kept = pairs.filter((item, i) =>
    cleaner.keeps({ ...item, line: i + 1 }, length(item.source), length(item.target)),
  );
  return { kept, report: cleaner.report() };
}

describe('Cleaner', () => {
  it('keeps usable pairs, even unusual ones', () => {
    const pairs = ['-', '?', 'h', '42', '1,234.56 EUR', 'HELLO WORLD', 'Yeşilgöz', '{name}', 'שלום 3', '中文'].map(
      (text) => pair(text, text),
    );
    const { kept, report } = clean(pairs);
    expect(kept).toEqual(pairs);
    expect([report.read, report.kept]).toEqual([10, 10]);
    expect(describeDropped(report)).toEqual([]);
  });

  it('drops a pair that is blank on either side, whole', () => {
    const { kept, report } = clean([
      pair('', 'b'),
      pair('a', ' '),
      pair('\t', ''),
      pair('a', '\u00ad\u200b\0'),
      pair('a', 'b'),
    ]);
    expect(kept).toEqual([pair('a', 'b')]);
    expect(report.dropped.blank).toEqual({ count: 4, lines: [1, 2, 3, 4] });
  });

  it('drops a pair without pieces, even if it has text', () => {
    expect(new Cleaner().keeps({ line: 1, source: 'a', target: 'b' }, 1, 0)).toBe(false);
  });

  it('drops invalid UTF-8', () => {
    const { report } = clean([pair('Madchen', 'M\uFFFDdchen'), pair('\uFFFD', 'x')]);
    expect(report.dropped['not UTF-8']).toEqual({ count: 2, lines: [1, 2] });
  });

  it('drops what is longer than maxLength on either side', () => {
    const pairs = [pair(words(4), words(4)), pair(words(5), words(4)), pair(words(4), words(5))];
    expect(clean(pairs, { maxLength: 4 }).report.dropped['too long']).toEqual({ count: 2, lines: [2, 3] });
    expect(
      clean([pair(words(256), words(256)), pair(words(257), words(257))]).report.dropped['too long'].lines,
    ).toEqual([2]);
  });

  it('drops improbable length ratios in both directions, except of short lines', () => {
    const pairs = [
      pair(words(1), words(7)),
      pair(words(1), words(8)),
      pair(words(80), words(20)),
      pair(words(19), words(43)),
    ];
    const { report } = clean(pairs, { maxRatio: 2 });
    expect(report.dropped['length ratio']).toEqual({ count: 2, lines: [2, 3] });
    expect(clean(pairs, { maxRatio: Infinity }).report.kept).toBe(4);
    expect(lengthRatio(1, 7)).toBe(2);
  });

  it('drops copies and duplicates only if enabled', () => {
    const pairs = [pair('a', 'a'), pair('a', 'b'), pair('a', 'b'), pair('b', 'a'), pair('a', 'c'), pair('a', 'b')];
    expect(clean(pairs).report.kept).toBe(6);
    expect(clean(pairs, { dropCopies: true }).report.dropped.copy).toEqual({ count: 1, lines: [1] });
    const { report } = clean(pairs, { dropDuplicates: true });
    expect(report.dropped.duplicate).toEqual({ count: 2, lines: [3, 6] });
  });

  it('counts a pair under one reason', () => {
    const { report } = clean([pair('', words(300)), pair(words(300), 'a')]);
    expect(report).toMatchObject({ read: 2, kept: 0, dropped: { blank: { count: 1 }, 'too long': { count: 1 } } });
    expect(report.dropped['length ratio'].count).toBe(0);
  });

  it('refuses invalid limits', () => {
    for (const maxLength of [0, 1.5, Number.NaN])
      expect(() => new Cleaner({ maxLength })).toThrow(
        `clean: maxLength must be a whole number of at least 1, got ${maxLength}`,
      );
    for (const maxRatio of [0.5, Number.NaN])
      expect(() => new Cleaner({ maxRatio })).toThrow(
        `clean: maxRatio must be a number of at least 1, got ${maxRatio}`,
      );
  });
});

describe('describeDropped', () => {
  it('gives a line a reason, with the first lines concerned', () => {
    const { report } = clean([pair('', ''), ...Array.from({ length: 7 }, () => pair(words(9), words(9)))], {
      maxLength: 5,
    });
    expect(describeDropped(report)).toEqual([
      '1 pair dropped: blank (line 1)',
      '7 pairs dropped: too long (lines 2, 3, 4, 5, 6, …)',
    ]);
  });
});
