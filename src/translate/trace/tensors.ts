// The results of a traced pass: which are selected, their order (that of the paper), and how arrays are encoded.

import { HeedError } from '../../base/error.ts';
import type { Values } from '../../runtime/index.ts';
import type { TraceArray, TraceTensor } from './format.ts';

/** none; all; or a layer, from 0, of both stacks, with the results outside the layers. */
export type TensorChoice = 'none' | 'all' | number;

/** numbers: lists of numbers; base64: little-endian float32, exact and half as long. */
export type ArrayForm = 'numbers' | 'base64';

const attention = ['input', 'queries', 'keys', 'values', 'scores', 'maskedScores', 'weights', 'heads'];
const feedForward = ['input', 'inner', 'gate', 'active'];
const joined = ['output', 'sum', 'result'];
const sublayers = {
  selfAttention: [...attention, ...joined],
  crossAttention: [...attention, ...joined],
  feedForward: [...feedForward, ...joined],
};

/** The chosen results among those computed, in the order of the paper. @throws HeedError for a layer that does not exist */
export function traceTensors(
  results: ReadonlyMap<string, Values>,
  { choice, form }: { choice: TensorChoice; form: ArrayForm },
): TraceTensor[] {
  return namesOf(results, choice).flatMap((name) => {
    const values = results.get(name);
    return values === undefined ? [] : [{ name, ...traceArray(name === 'logits' ? lastRow(values) : values, form) }];
  });
}

/** @throws HeedError for a layer that does not exist */
export function checkTensorChoice(choice: TensorChoice, layers: number): void {
  if (choice === 'none' || choice === 'all') return;
  if (Number.isInteger(choice) && choice >= 0 && choice < layers) return;
  throw new HeedError('trace', `tensors must be none, all or a layer from 0 to ${layers - 1}, got ${choice}.`);
}

export const stacks = ['encoder', 'decoder'] as const;
export type Stack = (typeof stacks)[number];

/** The number of layers of a stack, from the names of results. */
export function layersOf(names: Iterable<string>, stack: Stack): number {
  const places = [...names].flatMap((name) => name.match(`^${stack}\\.layers\\.(\\d+)\\.`)?.[1] ?? []);
  return places.reduce((most, place) => Math.max(most, Number(place) + 1), 0);
}

/** Names of results that a model may have; some, such as `gate`, depend on its options. */
function namesOf(results: ReadonlyMap<string, Values>, choice: TensorChoice): string[] {
  if (choice === 'none') return [];
  const stack = (name: Stack, parts: readonly (keyof typeof sublayers)[]) => [
    ...['embedding', 'scaledEmbedding', 'positions.encoding', 'input'].map((result) => `${name}.${result}`),
    ...Array.from({ length: layersOf(results.keys(), name) }, (_, layer) => layer)
      .filter((layer) => choice === 'all' || layer === choice)
      .flatMap((layer) =>
        parts.flatMap((part) => sublayers[part].map((result) => `${name}.layers.${layer}.${part}.${result}`)),
      ),
    `${name}.output`,
  ];
  return [
    ...stack('encoder', ['selfAttention', 'feedForward']),
    ...stack('decoder', ['selfAttention', 'crossAttention', 'feedForward']),
    'logits',
  ];
}

/** [T, V] → [1, V] */
function lastRow({ shape: [rows, columns], data }: Values): Values {
  return { shape: [1, columns], data: data.subarray((rows - 1) * columns) };
}

export function traceArray({ shape, data }: Values, form: ArrayForm): TraceArray {
  return {
    shape,
    values: form === 'base64' ? base64(data) : Array.from(data, (value) => Number(value.toPrecision(7))),
  };
}

function base64({ buffer, byteOffset, byteLength }: Values['data']): string {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  let text = '';
  // Each byte is an argument: too many at once would overflow the stack.
  for (let start = 0; start < bytes.length; start += 8192)
    text += String.fromCharCode(...bytes.subarray(start, start + 8192));
  return btoa(text);
}
