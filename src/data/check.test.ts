import { describe, expect, it } from 'vitest';
import { Random } from '../base/random.ts';
import { checkCorpus, type Finding, findings, soundPairs } from './check.ts';
import type { NumberedPair } from './pairs.ts';

/** English-looking and Russian-looking sentences, sound in every respect. */
function soundCorpus(count: number): NumberedPair[] {
  const random = Random.of(1);
  return Array.from({ length: count }, (_, i) => {
    const words = Array.from({ length: 3 + random.integer(20) }, () => random.integer(1000));
    return {
      line: i + 1,
      source: words.map((word) => `word${word}`).join(' '),
      target: words.map((word) => `слово${word}`).join(' '),
    };
  });
}

/** The findings on a sound corpus with some lines replaced. */
async function check(replaced: Record<number, Partial<NumberedPair>>) {
  const pairs = soundCorpus(300).map((pair) => ({ ...pair, ...replaced[pair.line] }));
  return { pairs, result: await checkCorpus(pairs) };
}

const only = (finding: Finding, lines: number[]) =>
  new Map(findings.map((each) => [each, each === finding ? lines : []]));

describe('checkCorpus', () => {
  it('finds nothing in a sound corpus', async () => {
    const { result } = await check({});
    expect(result.pairs).toBe(300);
    expect(result.scripts).toEqual({ source: 'Latin', target: 'Cyrillic' });
    expect(result.shiftedBlocks).toEqual([]);
    expect([...result.lines.values()].flat()).toEqual([]);
  });

  it('finds each kind of fault, with its lines', async () => {
    const long = soundCorpus(1)[0].source;
    const cases: [Finding, Record<number, Partial<NumberedPair>>, number[]][] = [
      ['blank on both sides', { 4: { source: '', target: '\t' } }, [4]],
      ['not UTF-8', { 7: { source: 'M\uFFFDnchen ist gross', target: 'Мюнхен это большой' } }, [7]],
      ['control characters', { 8: { source: 'word1 word2\0', target: 'слово1 слово2' } }, [8]],
      ['control characters', { 8: { source: 'word1\tword2', target: 'слово1\u2028слово2' } }, [8]],
      ['control characters', { 8: { source: '\uFEFFword1 word2', target: 'слово1 слово2' } }, [8]],
      ['source equals target', { 9: { source: '12:30', target: '12:30' } }, [9]],
      ['duplicate', { 5: { source: 'a bit', target: 'бит' }, 11: { source: 'a bit', target: 'бит' } }, [11]],
      ['unusual length ratio', { 12: { source: long.repeat(4), target: 'слово слово' } }, [12]],
      ['unusual length ratio', { 12: { source: 'a few words', target: 'много слов '.repeat(30) } }, [12]],
      ['wrong script', { 13: { source: 'word1 word2', target: 'word1 word3' } }, [13]],
      ['wrong script', { 13: { source: 'слово2 слово1', target: 'слово1 слово2' } }, [13]],
    ];
    for (const [finding, replaced, lines] of cases) {
      const { result } = await check(replaced);
      expect(result.lines, finding).toEqual(only(finding, lines));
    }
  });

  it('compares length ratios with the usual one of the corpus', async () => {
    const random = Random.of(2);
    const flagged = async (spread: number, factor: number) => {
      const lengths = Array.from({ length: 500 }, () => 50 + random.integer(50));
      const pairs = lengths.map((length, i) => {
        const ratio = i === 99 ? factor : Math.exp(spread * random.normal());
        return {
          line: i + 1,
          source: `a${' '.repeat(length)}z`,
          target: `b${'.'.repeat(Math.round(3 * ratio * length))}`,
        };
      });
      return (await checkCorpus(pairs)).lines.get('unusual length ratio');
    };
    expect(await flagged(0.05, 1.7)).toEqual([]);
    expect(await flagged(0.05, 2.6)).toEqual([100]);
    expect(await flagged(0.05, 1 / 2.6)).toEqual([100]);
    expect(await flagged(0.3, 2.6)).toEqual([]);
    expect(await flagged(0.3, 8)).toEqual([100]);
  });

  it('counts every finding on a pair', async () => {
    const { result } = await check({ 3: { target: ' ' } });
    expect(result.lines.get('blank on one side')).toEqual([3]);
    expect(result.lines.get('unusual length ratio')).toEqual([3]);
  });

  it('finds a shifted block', async () => {
    const pairs = soundCorpus(300);
    const shifted = pairs.map((pair, i) => ({ ...pair, target: pairs[i >= 100 && i < 160 ? i + 1 : i].target }));
    const { shiftedBlocks, lines } = await checkCorpus(shifted);
    expect(shiftedBlocks).toHaveLength(1);
    const [{ firstLine, lastLine, offset }] = shiftedBlocks;
    expect(offset).toBe(-1);
    expect(lines.get('shifted')).toHaveLength(lastLine - firstLine + 1);
    expect(lines.get('shifted')?.[0]).toBe(firstLine);
  });

  it('reports no wrong script if a side mixes scripts', async () => {
    const mixed = soundCorpus(300).map((pair, i) => (i % 5 === 0 ? { ...pair, source: pair.target } : pair));
    const { scripts, lines } = await checkCorpus(mixed);
    expect(scripts.source).toBeUndefined();
    expect(lines.get('wrong script')).toEqual([]);
  });

  it('accepts short lines and names in another script', async () => {
    const { result } = await check({ 1: { source: 'NATO', target: 'NATO.' }, 2: { source: 'a', target: 'слово' } });
    expect([...result.lines.values()].flat()).toEqual([]);
  });

  it('accepts an empty corpus', async () => {
    expect(await checkCorpus([])).toMatchObject({ pairs: 0, shiftedBlocks: [], scripts: { source: undefined } });
  });
});

describe('soundPairs', () => {
  it('gives the pairs without a finding, whole and in order', async () => {
    const { pairs, result } = await check({ 2: { source: '' }, 300: { target: 'слово\0' } });
    const sound: NumberedPair[] = [];
    for await (const pair of soundPairs(pairs, result)) sound.push(pair);
    expect(sound).toEqual(pairs.filter((pair) => pair.line !== 2 && pair.line !== 300));
  });
});
