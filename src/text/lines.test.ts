import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines, splitLines } from './lines.ts';

async function collect(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readLines(chunks)) lines.push(line);
  return lines;
}

/** `bytes` cut at every multiple of `size`. */
function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.slice(i * size, (i + 1) * size));
}

const cases: [string, string[]][] = [
  ['', []],
  ['\n', ['']],
  ['a', ['a']],
  ['a\n', ['a']],
  ['a\n\n', ['a', '']],
  ['\n\na', ['', '', 'a']],
  ['a\r\nb\r\n', ['a', 'b']],
  ['a\r\r\nb\r', ['a\r', 'b']],
  ['a\rb\n', ['a\rb']],
  ['\r\n', ['']],
  ['a\u2028b\u2029c\u0085d\ve\ff\n', ['a\u2028b\u2029c\u0085d\ve\ff']],
  ['\uFEFFa\n\uFEFFb\n', ['a', '\uFEFFb']],
  ['\uFEFF\uFEFFa', ['\uFEFFa']],
  ['\uFEFF', []],
  ['a\0b\n \t\n', ['a\0b', ' \t']],
];

describe('splitLines and readLines', () => {
  it.each(cases)('%j', async (text, lines) => {
    expect(splitLines(text)).toEqual(lines);
    for (const size of [1, 2, 3, 1000]) expect(await collect(cut(new TextEncoder().encode(text), size))).toEqual(lines);
  });

  it('agree on every text, wherever the chunks are cut', async () => {
    const text = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\n', '\r\n', '\r', '\uFEFF', '語')));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (parts, size) => {
        const joined = parts.join('');
        expect(await collect(cut(new TextEncoder().encode(joined), size))).toEqual(splitLines(joined));
      }),
    );
  });
});

describe('readLines', () => {
  it('puts U+FFFD for bytes that are not UTF-8 and keeps every line', async () => {
    const bytes = Uint8Array.of(0x61, 0xff, 0x0a, 0xe2, 0x82, 0x0a, 0x62, 0x0a, 0xf0, 0x9f);
    expect(await collect([bytes])).toEqual(['a\uFFFD', '\uFFFD', 'b', '\uFFFD']);
  });

  it('yields lines of an endless stream as they come', async () => {
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) yield new TextEncoder().encode('ab\nc');
    }
    const lines: string[] = [];
    for await (const line of readLines(endless())) {
      lines.push(line);
      if (lines.length === 3) break;
    }
    expect(lines).toEqual(['ab', 'cab', 'cab']);
  });

  it('reads a line of many chunks in linear time', async () => {
    const chunk = new Uint8Array(1000).fill(0x61);
    const lines = await collect(Array.from({ length: 20_000 }, () => chunk));
    expect(lines.map((line) => line.length)).toEqual([20_000_000]);
  });
});
