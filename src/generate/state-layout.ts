// The memory layout of a model's states between runs, and how graphs read and write it.
// B sentences, W hypotheses of each. In memory a state of kind
//   fixed    is [B, …shape]; keys are stored in the form of the attention product (see `storedFixed`)
//   append   is [slots, B, …other axes]: a step of W hypotheses adds W slots at the end
//   replace  is [B, W, …shape]

import type { StateSpec, States } from '../nn/index.ts';
import {
  concatenate,
  type Dim,
  input,
  permute,
  reshape,
  type Shape,
  scale,
  type Tensor,
  transpose,
} from '../tensor/index.ts';

/** Sizes of a step. */
export interface StepSize {
  /** B, a number or the name of a dimension. */
  readonly sentences: Dim;
  /** W */
  readonly width: number;
}

/** A state as an input of the step graph, converted from the memory layout to the model's. */
export function readState(spec: StateSpec, { sentences, width }: StepSize): Tensor {
  switch (spec.kind) {
    case 'fixed':
      return readFixed(spec, { sentences, width });
    case 'append':
      return permute(input(spec.name, 'float32', ['slots', sentences, ...restOf(spec)]), lengthBack(spec));
    case 'replace':
      return input(spec.name, 'float32', [sentences, width, ...spec.shape]);
  }
}

function readFixed(spec: StateSpec, { sentences, width }: StepSize): Tensor {
  if (spec.role !== 'keys') return input(spec.name, 'float32', [sentences, ...spec.shape]);
  const isTransposed = width > 1;
  const shape = isTransposed ? [...spec.shape.slice(0, -2), ...spec.shape.slice(-2).reverse()] : spec.shape;
  const stored = input(spec.name, 'float32', [sentences, ...shape]);
  return unscaledKeys(spec, isTransposed ? transpose(stored) : stored);
}

/**
 * A fixed state in its memory layout. Keys are divided by √K, so that scores need no scaling. For several hypotheses they are
 * also transposed, which is faster; with a single query it is slower.
 */
export function storedFixed(spec: StateSpec, state: Tensor, width: number): Tensor {
  if (spec.role !== 'keys') return state;
  const scaled = scaledKeys(spec, state);
  return width === 1 ? scaled : transpose(scaled);
}

/** A state encoded in the same graph, with keys rounded as if they had been stored and read. */
export function asStored(specs: readonly StateSpec[], encoded: States): States {
  const keys = specs.filter(({ role, name }) => role === 'keys' && name in encoded);
  const rounded = keys.map((spec) => [spec.name, unscaledKeys(spec, scaledKeys(spec, encoded[spec.name]))]);
  return { ...encoded, ...Object.fromEntries(rounded) };
}

function scaledKeys(spec: StateSpec, keys: Tensor): Tensor {
  return scale(keys, 1 / Math.sqrt(widthOf(spec)));
}

function unscaledKeys(spec: StateSpec, stored: Tensor): Tensor {
  return scale(stored, Math.sqrt(widthOf(spec)));
}

/** K */
function widthOf({ shape }: StateSpec): number {
  return Number(shape[shape.length - 1]);
}

/** The axis of [B, …shape] along which the state grows. */
export function lengthAxis({ shape }: StateSpec): number {
  return shape.indexOf('length') + 1;
}

/** The shape of one position; all dimensions are known. */
export function restOf({ shape }: StateSpec): number[] {
  return shape.filter((dim) => dim !== 'length').map(Number);
}

/** Numbers per position. */
function rowSize(spec: StateSpec): number {
  return restOf(spec).reduce((product, dim) => product * dim, 1);
}

/** The permutation that moves the axis of positions to the front: [B, H, W, K] → [W, B, H, K] */
function lengthFirst(spec: StateSpec): number[] {
  const axis = lengthAxis(spec);
  const others = [0, ...spec.shape.map((_, i) => i + 1)].filter((other) => other !== axis);
  return [axis, ...others];
}

/** The inverse permutation. */
function lengthBack(spec: StateSpec): number[] {
  const order = lengthFirst(spec);
  return order.map((_, axis) => order.indexOf(axis));
}

/** States of kind `append` whose new positions are one result: same name and size in all layers. */
export interface AppendGroup {
  /** The name of that result. */
  readonly name: string;
  readonly specs: readonly StateSpec[];
}

export function appendGroups(specs: readonly StateSpec[]): AppendGroup[] {
  const groups = new Map<string, StateSpec[]>();
  for (const spec of specs.filter(({ kind }) => kind === 'append')) {
    const name = `appended.${spec.name.split('.').at(-1)}.${rowSize(spec)}`;
    groups.set(name, [...(groups.get(name) ?? []), spec]);
  }
  return [...groups].map(([name, members]) => ({ name, specs: members }));
}

/** New positions of a step, [B, …shape with W positions] each, as results: [L·W, B, row size] for each group of L states. */
export function appendedRows(groups: readonly AppendGroup[], after: States): Record<string, Tensor> {
  const entries = groups.map(({ name, specs }) => {
    const rows = specs.map((spec) => rowsOf(spec, after[spec.name]));
    return [name, concatenate(rows, 0)];
  });
  return Object.fromEntries(entries);
}

function rowsOf(spec: StateSpec, present: Tensor): Tensor {
  const [width, sentences] = permuted(present.shape, lengthFirst(spec));
  return reshape(permute(present, lengthFirst(spec)), [width, sentences, rowSize(spec)]);
}

function permuted(shape: Shape, order: readonly number[]): Dim[] {
  return order.map((axis) => shape[axis]);
}

/** The next states of kind `replace` as results. */
export function replacedStates(specs: readonly StateSpec[], after: States): Record<string, Tensor> {
  const names = specs.filter(({ kind }) => kind === 'replace').map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [replacedName(name), after[name]]));
}

export function replacedName(state: string): string {
  return `replaced.${state}`;
}
