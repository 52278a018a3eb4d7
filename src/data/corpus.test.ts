import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { readPairs, readTextFile } from './corpus.ts';

const folder = mkdtempSync(join(tmpdir(), 'heed-corpus-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe('readTextFile', () => {
  it('reads lines, plain and packed, in chunks of any size', async () => {
    const lines = Array.from({ length: 30_000 }, (_, i) => `Zeile ${i}, größer\u2028 als ${'x'.repeat(i % 50)}`);
    const text = lines.join('\n');
    expect(await all(readTextFile(file('plain', text)))).toEqual(lines);
    expect(await all(readTextFile(file('packed.gz', gzipSync(`${text}\n`))))).toEqual(lines);
    const members = Buffer.concat([gzipSync('a\nb'), gzipSync('c\nd\n')]);
    expect(await all(readTextFile(file('members.gz', members)))).toEqual(['a', 'bc', 'd']);
  });

  it('reports what is wrong with a file', async () => {
    const fails = async (path: string, message: string) =>
      await expect(all(readTextFile(path))).rejects.toThrow(`${path}: ${message}`);
    await fails(join(folder, 'missing'), 'no such file; check the path.');
    await fails(join(folder, 'missing.gz'), 'no such file; check the path.');
    await fails(join(file('a-file', 'x'), 'below'), 'the file could not be read (');
    mkdirSync(join(folder, 'sub'));
    await fails(join(folder, 'sub'), 'must be a file, got a directory.');
    await fails(file('empty', ''), 'the file must have at least one line, got an empty file.');
    await fails(file('empty.gz', gzipSync('')), 'the file must have at least one line');
    await fails(file('plain.gz', 'not packed'), 'must be a whole gzip file as its name says, but unpacking failed (');
    await fails(file('cut.gz', gzipSync('line\n'.repeat(99)).subarray(0, 20)), 'must be a whole gzip file');
    if (process.getuid?.() !== 0) {
      const secret = file('secret', 'x');
      chmodSync(secret, 0);
      await fails(secret, 'permission to read the file was refused.');
    }
  });

  it('can be stopped early', async () => {
    for (const path of [file('long', 'line\n'.repeat(100_000)), file('long.gz', gzipSync('line\n'.repeat(100_000)))])
      for await (const line of readTextFile(path)) {
        expect(line).toBe('line');
        break;
      }
  });
});

describe('readPairs', () => {
  it('numbers the pairs and never shifts or loses a line', async () => {
    const source = file('pairs.en', '\uFEFFone\r\ntwo\u2028\u0085\v\f\n\nfour \n');
    const target = file('pairs.de', 'eins\nzwei\n \nvier');
    expect(await all(readPairs({ source, target }))).toEqual([
      { line: 1, source: 'one', target: 'eins' },
      { line: 2, source: 'two\u2028\u0085\v\f', target: 'zwei' },
      { line: 3, source: '', target: ' ' },
      { line: 4, source: 'four ', target: 'vier' },
    ]);
  });

  it('refuses files with different line counts, and names both with their counts', async () => {
    const three = file('three', 'a\nb\nc\n');
    const five = file('five', 'a\nb\nc\nd\ne\n');
    await expect(all(readPairs({ source: three, target: five }))).rejects.toThrow(
      `${five}: must have as many lines as ${three}, since line i of one translates line i of the other, got 5 and 3;`,
    );
    await expect(all(readPairs({ source: five, target: three }))).rejects.toThrow('got 3 and 5;');
    const four = file('four', 'a\nb\nc\nd');
    await expect(all(readPairs({ source: four, target: three }))).rejects.toThrow('got 3 and 4;');
  });

  it('gives the pairs before a missing line, one by one', async () => {
    const pairs = readPairs({ source: file('two', 'a\nb\n'), target: file('one', 'c\n') });
    expect((await pairs.next()).value).toEqual({ line: 1, source: 'a', target: 'c' });
    await expect(pairs.next()).rejects.toThrow('got 1 and 2;');
  });

  it('refuses a file it cannot read', async () => {
    const good = file('good', 'a\n');
    await expect(all(readPairs({ source: good, target: join(folder, 'nowhere') }))).rejects.toThrow(
      'nowhere: no such file',
    );
    await expect(all(readPairs({ source: join(folder, 'nowhere'), target: good }))).rejects.toThrow(
      'nowhere: no such file',
    );
  });
});
