// Values for the leaves of a graph, so that tests can evaluate a part of the model: inputs as given by name, parameters
// drawn from a seed (all of them, so that a bias or a gain of layer normalisation matters too), nothing dropped.

import { Random } from '../src/base/random.ts';
import {
  isA,
  operators,
  type ParameterAttributes,
  type Shape,
  type Tensor,
  topologicalOrder,
  type Value,
} from '../src/tensor/index.ts';

/** Rows of rows of … numbers. */
export type Nested = number | readonly Nested[];

export function value(numbers: Nested): Value {
  const shape: number[] = [];
  for (let level = numbers; typeof level !== 'number'; level = level[0]) shape.push(level.length);
  return { shape, data: Float64Array.from(flat(numbers)) };
}

function flat(numbers: Nested): number[] {
  return typeof numbers === 'number' ? [numbers] : numbers.flatMap(flat);
}

/** Standard normal numbers of a shape. */
export function drawn(shape: readonly number[], seed: number): Value {
  const random = Random.of(seed, 'drawn');
  const size = shape.reduce((product, dim) => product * dim, 1);
  return { shape, data: Float64Array.from({ length: size }, () => random.normal()) };
}

/** The leaves that outputs are computed from, with their values. */
export function leavesOf(
  outputs: Iterable<Tensor>,
  inputs: Readonly<Record<string, Value>>,
  seed = 1,
): Map<Tensor, Value> {
  const leaves = new Map<Tensor, Value>();
  for (const node of topologicalOrder(outputs)) {
    if (isA(node, operators.parameter)) leaves.set(node, parameterValue(node.attributes, seed));
    if (isA(node, operators.input)) leaves.set(node, inputs[node.attributes.name]);
    if (isA(node, operators.keepMask)) leaves.set(node, ones(node.shape));
  }
  return leaves;
}

function parameterValue({ name, shape }: ParameterAttributes, seed: number): Value {
  const random = Random.of(seed, name);
  const size = shape.reduce((product, dim) => product * dim, 1);
  return { shape, data: Float64Array.from({ length: size }, () => 0.4 * random.normal()) };
}

/** Every entry of a mask is kept; named dimensions stretch. */
function ones(shape: Shape): Value {
  return { shape: shape.map(() => 1), data: Float64Array.of(1) };
}
