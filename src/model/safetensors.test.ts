// Files written by Python (tools/golden/safetensors_files.py), by heed, and damaged ones.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HeedError } from '../base/error.ts';
import { decodeSafetensors, encodeSafetensors, type NamedArray } from './safetensors.ts';

interface Golden {
  cases: Record<
    string,
    {
      file: string;
      metadata: Record<string, string>;
      arrays: Record<string, { shape: number[]; values: (number | string)[] }>;
    }
  >;
  finiteFloat16: string;
  finiteBfloat16: string;
}

const goldenUrl = new URL('../../test/golden/safetensors.json', import.meta.url);
const golden: Golden = JSON.parse(readFileSync(goldenUrl, 'utf8'));
const infinities: Record<string, number> = { inf: Number.POSITIVE_INFINITY, '-inf': Number.NEGATIVE_INFINITY };

const example: NamedArray[] = [
  { name: 'b.weight', shape: [2, 3], data: Float32Array.of(1, 2, 3, 4, 5, -0.5) },
  { name: 'a.bias', shape: [3], data: Float32Array.of(7, 8, 9) },
];

/** A file with any header, valid or not. */
function fileOf(header: unknown, dataBytes: number | Uint8Array): Uint8Array {
  const text = new TextEncoder().encode(typeof header === 'string' ? header : JSON.stringify(header));
  const data = typeof dataBytes === 'number' ? new Uint8Array(dataBytes) : dataBytes;
  const bytes = new Uint8Array(8 + text.length + data.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true);
  bytes.set(text, 8);
  bytes.set(data, 8 + text.length);
  return bytes;
}

function messageOf(bytes: Uint8Array): string {
  try {
    decodeSafetensors(bytes, 'm.safetensors');
  } catch (error) {
    if (error instanceof HeedError) return error.message;
    throw error;
  }
  return 'no error';
}

describe('decodeSafetensors', () => {
  it.each(Object.keys(golden.cases))('reads what Python wrote: %s', (name) => {
    const { file, metadata, arrays } = golden.cases[name];
    const content = decodeSafetensors(Buffer.from(file, 'base64'), name);
    expect(content.metadata).toEqual(metadata);
    expect([...content.arrays.keys()].sort()).toEqual(Object.keys(arrays).sort());
    for (const [key, { shape, values }] of Object.entries(arrays)) {
      const expected = Float32Array.from(values, (v) => (typeof v === 'string' ? infinities[v] : v));
      expect(content.arrays.get(key), key).toEqual({ name: key, shape, data: expected });
    }
  });

  it.each([
    ['F16', golden.finiteFloat16],
    ['BF16', golden.finiteBfloat16],
  ])('converts every finite %s as numpy does', (dtype, digest) => {
    const everyBits = Uint16Array.from({ length: 65536 }, (_, bits) => bits);
    const header = { x: { dtype, shape: [65536], data_offsets: [0, 131072] } };
    const { arrays } = decodeSafetensors(fileOf(header, new Uint8Array(everyBits.buffer)), 'x');
    const { data } = arrays.get('x')!;
    const finite = data.filter(Number.isFinite);
    expect(createHash('sha256').update(new Uint8Array(finite.buffer)).digest('hex')).toBe(digest);
    expect(data[dtype === 'F16' ? 0x7e00 : 0x7fc0]).toBeNaN();
  });

  it('reads arrays that are not aligned in memory', () => {
    const file = encodeSafetensors(example);
    const moved = new Uint8Array(file.length + 1);
    moved.set(file, 1);
    expect(decodeSafetensors(moved.subarray(1), 'x').arrays.get('a.bias')?.data).toEqual(example[1].data);
  });

  it('reports a file that is truncated at any byte', () => {
    const file = encodeSafetensors(example, { format: 'heed' });
    for (let length = 0; length < file.length; length++) {
      expect(messageOf(file.subarray(0, length))).toMatch(/^m\.safetensors: is .*cut off/);
    }
  });

  const good = { dtype: 'F32', shape: [2], data_offsets: [0, 8] };
  it.each<[string, Uint8Array, string]>([
    ['text', new TextEncoder().encode('a Git LFS pointer, say'), 'is no safetensors file: its header would have'],
    ['no JSON', fileOf('{"a": ', 0), 'is damaged or no safetensors file: its header is not JSON'],
    ['no UTF-8', fileOf('{}', 0).with(8, 0xff), 'is damaged or no safetensors file: its header is not JSON'],
    ['a list', fileOf('[]', 0), 'is no safetensors file: its header is not a JSON object.'],
    ['no entry', fileOf({ a: 1 }, 8), 'is damaged: a has no proper shape and data_offsets in the header.'],
    ['a negative shape', fileOf({ a: { ...good, shape: [-2] } }, 8), 'is damaged: a has no proper shape'],
    ['three offsets', fileOf({ a: { ...good, data_offsets: [0, 4, 8] } }, 8), 'is damaged: a has no proper shape'],
    [
      'another type',
      fileOf({ a: { ...good, dtype: 'I64' } }, 8),
      'arrays must be F32, F16, BF16 or I8, got I64 for a; convert it first.',
    ],
    [
      'a wrong size',
      fileOf({ a: { ...good, shape: [3] } }, 8),
      'is damaged: a needs 12 bytes for F32 [3], its data_offsets give 8.',
    ],
    [
      'an overlap',
      fileOf({ a: good, b: { ...good, data_offsets: [4, 12] } }, 12),
      'is damaged: b overlaps the array before it, it starts at byte 4, not 8.',
    ],
    [
      'a hole',
      fileOf({ a: good, b: { ...good, data_offsets: [12, 20] } }, 20),
      'is damaged: b leaves a hole before it, it starts at byte 12, not 8.',
    ],
    ['bytes left over', fileOf({ a: good }, 12), 'is damaged: 4 bytes at its end belong to no array.'],
    ['bytes missing', fileOf({ a: good }, 4), 'is cut off: its arrays need 8 bytes, the file has 4 for them.'],
    ['metadata of numbers', fileOf({ __metadata__: { step: 1 } }, 0), 'is damaged: __metadata__ must be an object'],
    ['metadata as a list', fileOf({ __metadata__: [] }, 0), 'is damaged: __metadata__ must be an object of texts.'],
  ])('refuses %s', (_, file, message) => {
    expect(messageOf(file)).toContain(`m.safetensors: ${message}`);
  });

  it('gives arrays or one clear error for any damaged byte', () => {
    const file = encodeSafetensors(example);
    const place = fc.integer({ min: 0, max: file.length - 1 });
    fc.assert(
      fc.property(place, fc.integer({ min: 0, max: 255 }), (index, byte) => {
        expect(messageOf(file.with(index, byte))).toMatch(/^(no error|m\.safetensors: .+)$/s);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('encodeSafetensors', () => {
  it('round-trips arrays, in order and aligned', () => {
    const name = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('__proto__', '10', '2', 'größe'));
    const shape = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 });
    const array = fc.tuple(name, shape, fc.infiniteStream(fc.float())).map(([name, shape, stream]): NamedArray => {
      const size = shape.reduce((product, dim) => product * dim, 1);
      return { name, shape, data: Float32Array.from({ length: size }, () => stream.next().value) };
    });
    const arrays = fc.uniqueArray(array, { selector: ({ name }) => name, maxLength: 5 });
    fc.assert(
      fc.property(arrays, fc.dictionary(fc.string(), fc.string()), (arrays, metadata) => {
        const file = encodeSafetensors(arrays, metadata);
        expect(new DataView(file.buffer).getUint32(0, true) % 8).toBe(0);
        const content = decodeSafetensors(file, 'x');
        expect(Object.entries(content.metadata).sort()).toEqual(Object.entries(metadata).sort());
        expect(content.arrays).toEqual(new Map(arrays.map((array) => [array.name, array])));
      }),
    );
  });

  it('puts the bytes in the given order', () => {
    expect([...decodeSafetensors(encodeSafetensors(example), 'x').arrays.keys()]).toEqual(['b.weight', 'a.bias']);
  });

  it('refuses a name twice, the metadata’s name, and values that do not fill a shape', () => {
    const again = 'safetensors: names must be unique and not reserved, got a.bias once more.';
    expect(() => encodeSafetensors([...example, example[1]])).toThrow(again);
    expect(() => encodeSafetensors([{ ...example[0], name: '__metadata__' }])).toThrow('got __metadata__ once more.');
    const short = { ...example[1], data: Float32Array.of(1) };
    const message = 'safetensors: a.bias needs as many values as its shape has entries, got 1 values for [3].';
    expect(() => encodeSafetensors([short])).toThrow(message);
  });
});
