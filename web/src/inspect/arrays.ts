// The arrays of a trace as numbers, decoded once.

import type { TraceArray } from '../../../src/translate/index.ts';

const decoded = new WeakMap<TraceArray, Float32Array>();

/** All numbers, row-major; either form of `values`. */
export function numbersOf(array: TraceArray): Float32Array {
  const known = decoded.get(array);
  if (known !== undefined) return known;
  const numbers = typeof array.values === 'string' ? fromBase64(array.values) : Float32Array.from(array.values);
  decoded.set(array, numbers);
  return numbers;
}

/** The rows of [rows, width], or of one head of [heads, rows, width]. They are views, not copies. */
export function rowsOf(array: TraceArray, head = 0): Float32Array[] {
  const [rows, width] = array.shape.slice(-2);
  const numbers = numbersOf(array);
  const start = head * rows * width;
  return Array.from({ length: rows }, (_, i) => numbers.subarray(start + i * width, start + (i + 1) * width));
}

/** Little-endian float32, whatever order the machine has. */
function fromBase64(text: string): Float32Array {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}
