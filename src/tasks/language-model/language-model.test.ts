// The text of a run as windows: what is learned from, what validates, and what is refused.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { isHeedError } from '../../base/error.ts';
import { type DocumentPart, TokenStream } from '../../language-model/index.ts';
import { learnTokenizer } from '../../text/index.ts';
import { languageModel } from './index.ts';
import { cutAtSpaces, runText, type TextData } from './text.ts';
import { ValidationWindows, WindowBatches } from './window-batches.ts';

const folder = mkdtempSync(join(tmpdir(), 'heed-text-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const poem = 'to be, or not to be:\nthat is  the question.\n\n  ends ';

async function partsOf(data: TextData | undefined): Promise<DocumentPart[]> {
  const parts: DocumentPart[] = [];
  for await (const part of data?.parts() ?? []) parts.push(part);
  return parts;
}

function recipeOf(options: Record<string, unknown>) {
  return languageModel.recipe.parse({ merges: 0, ...options });
}

describe('the text of a run', () => {
  it('keeps line breaks and spaces, and a line break is one token', async () => {
    const text = file('poem', poem);
    const tokenizer = learnTokenizer([poem], { merges: 20 });
    const stream = new TokenStream(tokenizer);
    for (const part of await partsOf((await runText(recipeOf({ text, validShare: 0 }))).training)) stream.append(part);
    const ids = [...stream.part(0, stream.length)];
    expect(ids.at(0)).toBe(tokenizer.startId);
    expect(ids.at(-1)).toBe(tokenizer.endId);
    expect(tokenizer.decode(ids)).toBe(poem);
    const characters = learnTokenizer([poem], { merges: 0 });
    expect(characters.pieces(characters.encode('a\nb\n'))).toEqual(['▁', '<0x61>', '\n', 'b', '\n']);
  });

  it('validates on its last characters, whole ones', async () => {
    const text = file('emoji', `${'a'.repeat(89)}😀${'b'.repeat(9)}`);
    const { training, validation } = await runText(recipeOf({ text }));
    expect(await partsOf(training)).toEqual([{ text: `${'a'.repeat(89)}😀`, isFirst: true, isLast: true }]);
    expect(await partsOf(validation)).toEqual([{ text: 'b'.repeat(9), isFirst: true, isLast: true }]);
  });

  it('has a document a line if asked, without blank ones', async () => {
    const text = file('lines', 'one\n\ntwo\r\nthree\nfour\n');
    const { training, validation } = await runText(recipeOf({ text, documents: 'lines', validShare: 0.2 }));
    expect((await partsOf(training)).map((part) => part.text)).toEqual(['one', 'two', 'three']);
    expect(await partsOf(validation)).toEqual([{ text: 'four', isFirst: true, isLast: true }]);
  });

  it('takes a validation text of its own, or none', async () => {
    const [text, validText] = [file('train', 'everything'), file('valid', 'another')];
    const own = await runText(recipeOf({ text, validText }));
    expect((await partsOf(own.training)).map((part) => part.text)).toEqual(['everything']);
    expect((await partsOf(own.validation)).map((part) => part.text)).toEqual(['another']);
    expect((await own.hashes()).map(({ role }) => role)).toEqual(['text', 'validation text']);
    expect((await runText(recipeOf({ text, validShare: 0 }))).validation).toBeUndefined();
  });

  it('is read from .gz, without a byte-order mark', async () => {
    writeFileSync(join(folder, 'packed.gz'), gzipSync('\uFEFFwords\nand lines'));
    const { training } = await runText(recipeOf({ text: join(folder, 'packed.gz'), validShare: 0 }));
    expect((await partsOf(training)).map((part) => part.text)).toEqual(['words\nand', 'lines']);
  });

  it('is refused if there is none', async () => {
    await expect(runText(recipeOf({}))).rejects.toThrow('give --text');
    await expect(runText(recipeOf({ text: join(folder, 'nothing') }))).rejects.toThrow('no such file');
    await expect(runText(recipeOf({ text: file('empty', '') }))).rejects.toThrow('empty file');
  });
});

describe('a text cut at spaces', () => {
  const tokenizer = learnTokenizer([poem], { merges: 20 });

  it.each([1, 2, 3, 5, 8, 100])('is the same tokens, read %i characters at a time', async (size) => {
    const chunks = poem.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
    const stream = new TokenStream(tokenizer);
    let parts = 0;
    for await (const text of cutAtSpaces(from(chunks))) {
      stream.append({ text, isFirst: false, isLast: false });
      parts++;
    }
    expect([...stream.part(0, stream.length)]).toEqual([...tokenizer.encode(poem)]);
    expect(parts > 1).toBe(size > 1); // a chunk of one character has no place to be cut
  });

  async function* from(chunks: readonly string[]): AsyncGenerator<string> {
    yield* chunks;
  }
});

describe('windows', () => {
  const tokenizer = learnTokenizer(['abcdefghij abcdefghij'], { merges: 0 });
  const { startId, endId, padId } = tokenizer;
  const stream = new TokenStream(tokenizer);
  for (const text of ['abcdefghij'.repeat(3), 'jihgfedcba'.repeat(2)])
    stream.append({ text, isFirst: true, isLast: true });
  const ids = [...stream.part(0, stream.length)];
  const setup = { stream, context: 6, maxTokens: 20, seed: 1 };

  it('pack documents between START and END', () => {
    expect(ids.length).toBe(2 + 31 + 2 + 21);
    expect(ids.filter((id) => id === startId || id === endId)).toEqual([startId, endId, startId, endId]);
  });

  it('tile the text from an offset of the epoch, each token once', () => {
    const batches = new WindowBatches(setup);
    const starts = (epoch: number) => batches.epoch(epoch).batches.flatMap((batch) => [...batch]);
    for (const epoch of [1, 2, 3, 4]) {
      const sorted = starts(epoch).sort((a, b) => a - b);
      expect(sorted[0]).toBeLessThan(6);
      sorted.forEach((start, i) => {
        expect(start).toBe(sorted[0] + 6 * i);
      });
      expect((sorted.at(-1) ?? 0) + 6).toBeLessThan(ids.length);
      expect((sorted.at(-1) ?? 0) + 12).toBeGreaterThanOrEqual(ids.length);
    }
    expect(starts(1)).toEqual(new WindowBatches(setup).epoch(1).batches.flatMap((batch) => [...batch]));
    expect(new Set([1, 2, 3, 4].map((epoch) => starts(epoch).join())).size).toBe(4);
    expect(
      batches
        .epoch(1)
        .batches.map(({ length }) => length)
        .slice(0, 2),
    ).toEqual([3, 3]);
  });

  it('hold tokens and their successors; START is read but never predicted', () => {
    const batches = new WindowBatches(setup);
    let [tokens, replaced] = [0, 0];
    for (const starts of batches.epoch(1).batches) {
      const [batch, ...others] = batches.read(starts, 7);
      expect(others).toEqual([]);
      const target = batch.inputs.get('target');
      expect(target?.shape).toEqual([starts.length, 6]);
      starts.forEach((start, row) => {
        const read = [...(target?.data.slice(row * 6, row * 6 + 6) ?? [])];
        expect(read.slice(1)).toEqual(ids.slice(start + 1, start + 6));
        expect([ids[start], startId]).toContain(read[0]);
        if (read[0] !== ids[start]) replaced++;
        const expected = ids.slice(start + 1, start + 7).map((id) => (id === startId ? padId : id));
        expect([...batch.expected.data.slice(row * 6, row * 6 + 6)]).toEqual(expected);
      });
      tokens += batch.targetTokens;
    }
    expect(tokens).toBe(batches.targetTokens(1));
    expect(replaced).toBeLessThan(4);
  });

  it('of validation have each token once, the last one padded', () => {
    const all = [...new ValidationWindows(setup)];
    const expected = all.flatMap(({ expected: { data } }) => [...data]).filter((id) => id !== padId);
    expect(expected).toEqual(ids.slice(1).filter((id) => id !== startId));
    expect(all.reduce((sum, { targetTokens }) => sum + targetTokens, 0)).toBe(expected.length);
  });

  it('are refused for a text or a batch that is shorter than one', () => {
    expect(() => new WindowBatches({ ...setup, context: 56 })).toThrow('more tokens than a window');
    expect(() => new WindowBatches({ ...setup, maxTokens: 5 })).toThrow('maxTokens must be at least context');
    try {
      new WindowBatches({ ...setup, context: 56 });
      expect.unreachable();
    } catch (error) {
      expect(isHeedError(error)).toBe(true);
    }
  });
});
