import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Random } from '../base/random.ts';
import { type CachedCorpora, makeCache, openCache } from './cache.ts';
import { Cleaner } from './clean.ts';
import { EncodedPairs } from './encoded.ts';
import type { EncodedPair, PairSink } from './pairs.ts';

const parent = mkdtempSync(join(tmpdir(), 'heed-cache-'));
afterAll(() => rmSync(parent, { recursive: true }));
const report = new Cleaner().report();

function randomPairs(count: number, vocabularySize: number): EncodedPairs {
  const random = Random.of(count);
  const side = () => Int32Array.from({ length: random.integer(60) }, () => random.integer(vocabularySize));
  const pairs = new EncodedPairs();
  for (let i = 0; i < count; i++) pairs.append({ source: side(), target: side() });
  return pairs;
}

function make(name: string, pairs: EncodedPairs, vocabularySize: number): Promise<CachedCorpora> {
  return makeCache(join(parent, name), vocabularySize, async (sink) => {
    await appendAll(pairs, sink);
    return [report];
  });
}

async function appendAll(pairs: EncodedPairs, sink: PairSink): Promise<void> {
  for (let i = 0; i < pairs.length; i++) await sink.append(pairs.pair(i));
}

function plain({ source, target }: EncodedPair) {
  return { source: [...source], target: [...target] };
}

describe('the cache', () => {
  it.each([
    ['16', 65_536],
    ['32', 65_537],
  ])('returns every pair, with ids of %s bits', async (bits, vocabularySize) => {
    // Enough for several flushes and for many known places.
    const pairs = randomPairs(20_000, vocabularySize);
    const { pairs: cached, reports } = await make(`bits${bits}`, pairs, vocabularySize);
    expect(reports).toEqual([report]);
    expect(cached.length).toBe(pairs.length);
    for (const index of [0, 1, 255, 256, 257, 9999, 19_999]) {
      expect(plain(cached.pair(index))).toEqual(plain(pairs.pair(index)));
      expect(cached.sourceLength(index)).toBe(pairs.sourceLength(index));
      expect(cached.targetLength(index)).toBe(pairs.targetLength(index));
    }
    for (const index of [-1, 20_000, Number.NaN]) expect(() => cached.pair(index)).toThrow(RangeError);
    cached.close();
  });

  it('can be opened after it is made, and not before', async () => {
    expect(await openCache(join(parent, 'again'))).toBeUndefined();
    const pairs = randomPairs(10, 100);
    (await make('again', pairs, 100)).pairs.close();
    const opened = await openCache(join(parent, 'again'));
    expect(opened && plain(opened.pairs.pair(9))).toEqual(plain(pairs.pair(9)));
    expect(opened?.reports).toEqual([report]);
    opened?.pairs.close();
  });

  it.each(['cache.json', 'lengths.bin'])('is invalid without %s, and is made again', async (name) => {
    (await make('partial', randomPairs(10, 100), 100)).pairs.close();
    rmSync(join(parent, 'partial', name));
    expect(await openCache(join(parent, 'partial'))).toBeUndefined();
    const { pairs } = await make('partial', randomPairs(7, 100), 100);
    expect(pairs.length).toBe(7);
    pairs.close();
  });

  it('is invalid if its lengths do not match its pairs', async () => {
    (await make('short', randomPairs(10, 100), 100)).pairs.close();
    truncateSync(join(parent, 'short', 'lengths.bin'), 20);
    expect(await openCache(join(parent, 'short'))).toBeUndefined();
  });

  it('reports where it is truncated', async () => {
    const { pairs } = await make('cut', randomPairs(10, 100), 100);
    truncateSync(join(parent, 'cut', 'ids.bin'), 4);
    expect(() => pairs.pair(9)).toThrow('cache: pair 9 is cut off; remove the cache folder and go on.');
    pairs.close();
  });

  it('leaves no files if it cannot be made', async () => {
    const failing = makeCache(join(parent, 'failing'), 100, () => Promise.reject(new Error('no text')));
    await expect(failing).rejects.toThrow('no text');
    expect(readdirSync(parent)).not.toContain('failing');
  });

  it('names the file that cannot be written', async () => {
    writeFileSync(join(parent, 'file'), '');
    const message = `${parent}/file/cache: cannot be written: a part of the path is a file, not a folder (ENOTDIR).`;
    await expect(make('file/cache', randomPairs(1, 9), 9)).rejects.toThrow(message);
  });
});
