// The safetensors format: eight bytes with the header's length, a JSON header, then the arrays' bytes end to end.
// Written as 32-bit floats and 8-bit integers; read from F32, F16, BF16 and I8, all little-endian, as every machine is
// that runs this.

import { HeedError } from '../base/error.ts';
import { bfloat16ToFloat32, float16ToFloat32 } from './half-floats.ts';

export interface NamedArray {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** Whole numbers from −128 to 127. */
export interface NamedInt8Array {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Int8Array;
}

export interface SafetensorsContent {
  /** Floats, in the order of their bytes in the file. */
  readonly arrays: ReadonlyMap<string, NamedArray>;
  readonly int8Arrays: ReadonlyMap<string, NamedInt8Array>;
  readonly metadata: Readonly<Record<string, string>>;
}

interface Entry {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** Bytes from the end of the header. */
  readonly start: number;
  readonly end: number;
}

const bytesPerValue = { F32: 4, F16: 2, BF16: 2, I8: 1 };
type DType = keyof typeof bytesPerValue;

/** Offset of the header. Its length is padded to a multiple of the same number, so that the arrays are aligned. */
const lengthBytes = 8;
/** The limit of the reference implementation. */
const maxHeaderBytes = 100_000_000;
const metadataKey = '__metadata__';

/**
 * The bytes of a safetensors file, arrays in the given order.
 * @throws HeedError if names repeat, or an array's values do not fill its shape
 */
export function encodeSafetensors(
  arrays: readonly (NamedArray | NamedInt8Array)[],
  metadata: Readonly<Record<string, string>> = {},
): Uint8Array {
  checkArrays(arrays);
  const header = encodeHeader(arrays, metadata);
  const dataBytes = arrays.reduce((sum, { data }) => sum + data.byteLength, 0);
  const bytes = new Uint8Array(lengthBytes + header.length + dataBytes);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(header.length), true);
  bytes.set(header, lengthBytes);
  let position = lengthBytes + header.length;
  for (const { data } of arrays) {
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), position);
    position += data.byteLength;
  }
  return bytes;
}

function checkArrays(arrays: readonly (NamedArray | NamedInt8Array)[]): void {
  const names = new Set([metadataKey]);
  for (const { name, shape, data } of arrays) {
    if (names.has(name))
      throw new HeedError('safetensors', `names must be unique and not reserved, got ${name} once more.`);
    names.add(name);
    if (data.length !== sizeOf(shape)) {
      const got = `got ${data.length} values for [${shape.join(', ')}]`;
      throw new HeedError('safetensors', `${name} needs as many values as its shape has entries, ${got}.`);
    }
  }
}

function encodeHeader(
  arrays: readonly (NamedArray | NamedInt8Array)[],
  metadata: Readonly<Record<string, string>>,
): Uint8Array {
  let position = 0;
  const entries: [string, unknown][] = arrays.map(({ name, shape, data }) => {
    const start = position;
    position += data.byteLength;
    const dtype = data instanceof Int8Array ? 'I8' : 'F32';
    return [name, { dtype, shape, data_offsets: [start, position] }];
  });
  if (Object.keys(metadata).length > 0) entries.unshift([metadataKey, metadata]);
  const header = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)));
  const padded = new Uint8Array(Math.ceil(header.length / lengthBytes) * lengthBytes).fill(' '.charCodeAt(0));
  padded.set(header);
  return padded;
}

/**
 * The arrays of a safetensors file. F32 arrays are views of `bytes` wherever these are aligned to 4 bytes.
 * @param place the file's name, for error messages
 * @throws HeedError if the file is cut off or contradicts itself, or if an array is none of F32, F16, BF16 and I8
 */
export function decodeSafetensors(bytes: Uint8Array, place: string): SafetensorsContent {
  const { header, dataStart } = decodeHeader(bytes, place);
  const { [metadataKey]: metadata, ...rest } = header;
  const entries = Object.entries(rest).map(([name, value]) => readEntry(name, value, place));
  entries.sort((a, b) => a.start - b.start || a.end - b.end);
  checkCoverage(entries, bytes.length - dataStart, place);
  const bytesOf = ({ start, end }: Entry) => bytes.subarray(dataStart + start, dataStart + end);
  const arrays = new Map<string, NamedArray>();
  const int8Arrays = new Map<string, NamedInt8Array>();
  for (const entry of entries) {
    const { name, dtype, shape } = entry;
    if (dtype === 'I8') int8Arrays.set(name, { name, shape, data: new Int8Array(bytesOf(entry)) });
    else arrays.set(name, { name, shape, data: toFloat32(bytesOf(entry), dtype) });
  }
  return { arrays, int8Arrays, metadata: readMetadata(metadata, place) };
}

function decodeHeader(bytes: Uint8Array, place: string): { header: Record<string, unknown>; dataStart: number } {
  if (bytes.length < lengthBytes) {
    throw new HeedError(place, `is no safetensors file, or is cut off: it has only ${bytes.length} bytes.`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerBytes = Number(view.getBigUint64(0, true));
  if (headerBytes > maxHeaderBytes) {
    throw new HeedError(place, `is no safetensors file: its header would have ${headerBytes} bytes.`);
  }
  const dataStart = lengthBytes + headerBytes;
  if (dataStart > bytes.length) {
    throw new HeedError(place, `is cut off: its header ends at byte ${dataStart}, the file at ${bytes.length}.`);
  }
  const header = parseHeader(bytes.subarray(lengthBytes, dataStart), place);
  if (!isRecord(header)) throw new HeedError(place, 'is no safetensors file: its header is not a JSON object.');
  return { header, dataStart };
}

function parseHeader(bytes: Uint8Array, place: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new HeedError(place, `is damaged or no safetensors file: its header is not JSON (${reason}).`, { cause });
  }
}

function readEntry(name: string, value: unknown, place: string): Entry {
  const { dtype, shape, data_offsets: offsets } = isRecord(value) ? value : {};
  if (!isCounts(shape) || !isCounts(offsets) || offsets.length !== 2) {
    throw new HeedError(place, `is damaged: ${name} has no proper shape and data_offsets in the header.`);
  }
  if (!isDType(dtype)) {
    throw new HeedError(
      place,
      `arrays must be F32, F16, BF16 or I8, got ${String(dtype)} for ${name}; convert it first.`,
    );
  }
  const [start, end] = offsets;
  const expected = sizeOf(shape) * bytesPerValue[dtype];
  if (end - start !== expected) {
    const rule = `${name} needs ${expected} bytes for ${dtype} [${shape.join(', ')}]`;
    throw new HeedError(place, `is damaged: ${rule}, its data_offsets give ${end - start}.`);
  }
  return { name, dtype, shape, start, end };
}

/** As the format demands, every byte belongs to exactly one array: no overlaps, no holes, nothing left over. */
function checkCoverage(entries: readonly Entry[], dataBytes: number, place: string): void {
  let position = 0;
  for (const { name, start, end } of entries) {
    if (start !== position) {
      const fault = start < position ? 'overlaps the array before it' : 'leaves a hole before it';
      throw new HeedError(place, `is damaged: ${name} ${fault}, it starts at byte ${start}, not ${position}.`);
    }
    position = end;
  }
  if (position > dataBytes) {
    throw new HeedError(place, `is cut off: its arrays need ${position} bytes, the file has ${dataBytes} for them.`);
  }
  if (position < dataBytes) {
    throw new HeedError(place, `is damaged: ${dataBytes - position} bytes at its end belong to no array.`);
  }
}

function readMetadata(value: unknown, place: string): Record<string, string> {
  const entries = Object.entries(isRecord(value) ? value : {});
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  if ((value !== undefined && !isRecord(value)) || texts.length < entries.length) {
    throw new HeedError(place, `is damaged: ${metadataKey} must be an object of texts.`);
  }
  return Object.fromEntries(texts);
}

function toFloat32(bytes: Uint8Array, dtype: Exclude<DType, 'I8'>): Float32Array {
  const aligned = bytes.byteOffset % bytesPerValue[dtype] === 0 ? bytes : bytes.slice();
  const { buffer, byteOffset } = aligned;
  const length = aligned.byteLength / bytesPerValue[dtype];
  if (dtype === 'F32') return new Float32Array(buffer, byteOffset, length);
  const convert = dtype === 'F16' ? float16ToFloat32 : bfloat16ToFloat32;
  return convert(new Uint16Array(buffer, byteOffset, length));
}

function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, dim) => product * dim, 1);
}

function isDType(value: unknown): value is DType {
  return typeof value === 'string' && Object.hasOwn(bytesPerValue, value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((entry) => Number.isSafeInteger(entry) && entry >= 0);
}
