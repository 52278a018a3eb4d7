// The bytes, read back by a plain reader of the wire format. (Whole models pass ONNX's own checker: test/onnx-check.test.ts.)

import { describe, expect, it } from 'vitest';
import type { OnnxGraph } from './graph.ts';
import { encodeModel } from './protobuf.ts';

/** A field's number, and its content: a varint as a signed 64-bit number, anything else as bytes. */
interface Field {
  readonly number: number;
  readonly content: bigint | Uint8Array;
}

/** The fields of a message, in the order they lie in. */
function fieldsOf(bytes: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let result = 0n;
    for (let bits = 0n; ; bits += 7n) {
      const byte = bytes[at++];
      result |= BigInt(byte & 127) << bits;
      if (byte < 128) return result;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const number = tag >> 3;
    const isVarint = (tag & 7) === 0;
    if (isVarint) {
      fields.push({ number, content: BigInt.asIntN(64, varint()) });
      continue;
    }
    const length = (tag & 7) === 5 ? 4 : Number(varint());
    fields.push({ number, content: bytes.subarray(at, at + length) });
    at += length;
  }
  return fields;
}

/** All contents of a field, following numbers down from the model: `at(bytes, 7, 1, 4)` is the type of each node. */
function at(bytes: Uint8Array, ...path: number[]): (bigint | Uint8Array)[] {
  const [number, ...rest] = path;
  const found = fieldsOf(bytes).filter((field) => field.number === number);
  if (rest.length === 0) return found.map(({ content }) => content);
  return found.flatMap(({ content }) => (content instanceof Uint8Array ? at(content, ...rest) : []));
}

function texts(found: readonly (bigint | Uint8Array)[]): string[] {
  return found.map((content) => (content instanceof Uint8Array ? new TextDecoder().decode(content) : String(content)));
}

const empty: OnnxGraph = { nodes: [], initializers: [], inputs: [], outputs: [] };
const GRAPH = 7;

describe('encodeModel', () => {
  it('says IR version 10, opset 21 and who wrote it', () => {
    const bytes = encodeModel(empty);
    expect(at(bytes, 1)).toEqual([10n]);
    expect(texts(at(bytes, 2))).toEqual(['heed']);
    expect(at(bytes, 8, 2)).toEqual([21n]);
  });

  it('writes nodes with their attributes', () => {
    const attributes = { axis: -1, epsilon: { float: 0.5 }, perm: [0, 2, 300], reduction: 'add' };
    const node = { type: 'Some', inputs: ['a', 'b'], outputs: ['c'], attributes };
    const bytes = encodeModel({ ...empty, nodes: [node] });
    expect(texts(at(bytes, GRAPH, 1, 1))).toEqual(['a', 'b']);
    expect(texts(at(bytes, GRAPH, 1, 2))).toEqual(['c']);
    expect(texts(at(bytes, GRAPH, 1, 4))).toEqual(['Some']);
    expect(texts(at(bytes, GRAPH, 1, 5, 1))).toEqual(['axis', 'epsilon', 'perm', 'reduction']);
    expect(at(bytes, GRAPH, 1, 5, 20)).toEqual([2n, 1n, 7n, 3n]); // their types: int, float, ints, text
    expect(at(bytes, GRAPH, 1, 5, 3)).toEqual([-1n]);
    expect(at(bytes, GRAPH, 1, 5, 2)).toEqual([new Uint8Array(Float32Array.of(0.5).buffer)]);
    expect(at(bytes, GRAPH, 1, 5, 8)).toEqual([0n, 2n, 300n]);
    expect(texts(at(bytes, GRAPH, 1, 5, 4))).toEqual(['add']);
  });

  it.each([
    ['float32', Float32Array.of(1, -2.5, 1e-9), 1n],
    ['int32', Int32Array.of(1, -2, 7), 6n],
    ['int64', BigInt64Array.of(1n, -2n, 7n), 7n],
  ] as const)('writes %s constants as they lie in memory', (_, data, type) => {
    const padded = data.slice(1); // a view that does not begin its buffer must be written alone
    const view = data.subarray(1);
    const bytes = encodeModel({ ...empty, initializers: [{ name: 'w', shape: [2, 1], data: view }] });
    expect(at(bytes, GRAPH, 5, 1)).toEqual([2n, 1n]);
    expect(at(bytes, GRAPH, 5, 2)).toEqual([type]);
    expect(texts(at(bytes, GRAPH, 5, 8))).toEqual(['w']);
    expect(at(bytes, GRAPH, 5, 9)).toEqual([new Uint8Array(padded.buffer)]);
  });

  it('writes shapes with known and named dimensions', () => {
    const info = { name: 'x', dtype: 'int32', shape: ['batch', 512] } as const;
    const bytes = encodeModel({ ...empty, inputs: [info], outputs: [{ ...info, name: 'y', shape: [] }] });
    expect(texts(at(bytes, GRAPH, 11, 1))).toEqual(['x']);
    expect(at(bytes, GRAPH, 11, 2, 1, 1)).toEqual([6n]);
    expect(texts(at(bytes, GRAPH, 11, 2, 1, 2, 1, 2))).toEqual(['batch']);
    expect(at(bytes, GRAPH, 11, 2, 1, 2, 1, 1)).toEqual([512n]);
    expect(texts(at(bytes, GRAPH, 12, 1))).toEqual(['y']);
    expect(at(bytes, GRAPH, 12, 2, 1, 2)).toEqual([new Uint8Array(0)]); // rank 0, not an unknown rank
  });
});
