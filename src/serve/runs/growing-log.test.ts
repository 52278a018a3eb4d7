import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { GrowingLog } from './growing-log.ts';

const parent = mkdtempSync(join(tmpdir(), 'heed-log-'));
afterAll(() => rmSync(parent, { recursive: true }));
const path = join(parent, 'log.jsonl');
beforeEach(() => rmSync(path, { force: true, recursive: true }));

const textLog = () => new GrowingLog(path, (line) => (line === '-' ? undefined : line));

describe('GrowingLog', () => {
  it('is empty while the file does not exist', async () => {
    const log = textLog();
    await log.refresh();
    expect(log.records).toEqual([]);
    expect(log.generation).toBe(0);
  });

  it('takes complete lines only, and ignores those without a record', async () => {
    const log = textLog();
    const grown = [];
    for (const text of ['a\nb', 'c\n', '-\n\u2028\r\n', 'ü', '\n', '\n']) {
      appendFileSync(path, text);
      await log.refresh();
      grown.push([...log.records]);
    }
    const last = ['a', 'bc', '\u2028\r', 'ü', ''];
    expect(grown).toEqual([['a'], ['a', 'bc'], last.slice(0, 3), last.slice(0, 3), last.slice(0, 4), last]);
    expect(log.generation).toBe(0);
  });

  it('never splits a character that is partly written', async () => {
    const log = textLog();
    for (const byte of Buffer.from('漢😀\n')) {
      appendFileSync(path, Uint8Array.of(byte));
      await log.refresh();
    }
    expect(log.records).toEqual(['漢😀']);
  });

  it('takes lines longer than what is read at once', async () => {
    const lines = ['x'.repeat(3_000_000), 'y', 'z'.repeat(1_048_576), 'end'];
    writeFileSync(path, `${lines.join('\n')}\n`);
    const log = textLog();
    await log.refresh();
    expect(log.records).toEqual(lines);
  });

  it.each([
    ['cut', () => truncateSync(path, 2), ['a']],
    ['cut within a line', () => truncateSync(path, 3), ['a']],
    ['emptied', () => truncateSync(path), []],
    ['removed', () => rmSync(path), []],
    ['cut and grown beyond its old end', () => writeFileSync(path, 'a\nc\nd\ne\n'), ['a', 'c', 'd', 'e']],
    [
      'replaced by a longer file',
      () => {
        writeFileSync(`${path}.new`, 'other\nlines\n');
        renameSync(`${path}.new`, path);
      },
      ['other', 'lines'],
    ],
  ])('begins anew when the file is %s', async (_, change, records) => {
    writeFileSync(path, 'a\nb\n');
    const log = textLog();
    await log.refresh();
    change();
    await log.refresh();
    expect(log.records).toEqual(records);
    expect(log.generation).toBe(1);
    appendFileSync(path, 'more\n');
    await log.refresh();
    expect(log.generation).toBe(1);
  });

  it('goes on after the file was truncated and the same lines were written again', async () => {
    writeFileSync(path, 'a\nb\n');
    const log = textLog();
    await log.refresh();
    writeFileSync(path, 'a\nb\nc\n');
    await log.refresh();
    expect([log.records, log.generation]).toEqual([['a', 'b', 'c'], 0]);
  });

  it('reads each line once, however many ask at the same time', async () => {
    writeFileSync(path, 'a\nb\n');
    const log = textLog();
    await Promise.all(Array.from({ length: 20 }, () => log.refresh()));
    expect(log.records).toEqual(['a', 'b']);
  });

  it('says why the file cannot be read, and reads on once it can', async () => {
    const log = new GrowingLog(parent, (line) => line);
    await expect(log.refresh()).rejects.toThrow(`${parent}: cannot be read: it is a folder, not a file (EISDIR).`);
    await expect(log.refresh()).rejects.toThrow('EISDIR');
  });

  it('equals the lines of the file after any sequence of writes and truncations', async () => {
    const change = fc.oneof(
      fc.record({ text: fc.stringMatching(/^[ab\n]{0,5}$/) }),
      fc.record({ keep: fc.double({ min: 0, max: 1, noNaN: true }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        const log = textLog();
        let content = '';
        for (const made of changes) {
          content = 'text' in made ? content + made.text : content.slice(0, Math.floor(made.keep * content.length));
          writeFileSync(path, content);
          await log.refresh();
          expect(log.records).toEqual(content.split('\n').slice(0, -1));
        }
      }),
    );
  });
});
