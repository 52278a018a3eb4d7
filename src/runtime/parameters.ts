// A model's learned arrays: one buffer, each parameter a named view of it.

import { HeedError } from '../base/error.ts';
import { Random } from '../base/random.ts';
import {
  formatShape,
  type Initial,
  isA,
  operators,
  type ParameterAttributes,
  type Tensor,
  type TensorOf,
  topologicalOrder,
} from '../tensor/index.ts';

export interface Parameter {
  readonly name: string;
  readonly shape: readonly number[];
  /** A view into the set's buffer. */
  readonly data: Float32Array;
}

export class ParameterSet {
  /** All values, one parameter after the other. */
  readonly data: Float32Array;
  readonly parameters: readonly Parameter[];

  /** Zeros of the given names and shapes; `shared` (default false) for other threads to see them too. */
  constructor(
    shapes: readonly { name: string; shape: readonly number[] }[],
    { shared = false }: { shared?: boolean } = {},
  ) {
    const sizes = shapes.map(({ shape }) => shape.reduce((product, dim) => product * dim, 1));
    const bytes = sizes.reduce((sum, size) => sum + size, 0) * Float32Array.BYTES_PER_ELEMENT;
    this.data = new Float32Array(shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
    let start = 0;
    this.parameters = shapes.map(({ name, shape }, i) => {
      const data = this.data.subarray(start, start + sizes[i]);
      start += sizes[i];
      return { name, shape, data };
    });
  }

  /** The values with which training starts: each parameter's own distribution, from a stream named by seed and name. */
  static initialize(tensors: readonly Tensor[], seed: number): ParameterSet {
    const attributes = parameterAttributes(tensors);
    const set = new ParameterSet(attributes);
    set.parameters.forEach(({ name, data }, i) => {
      fill(data, attributes[i].initial, Random.of(seed, 'parameter', name));
    });
    return set;
  }

  /** Zeros for parameter tensors, to be filled by `assign`. */
  static zerosOf(tensors: readonly Tensor[]): ParameterSet {
    return new ParameterSet(parameterAttributes(tensors));
  }

  /** The number of learned values. */
  get size(): number {
    return this.data.length;
  }

  /** Each parameter's values by name. */
  weights(): Map<string, Float32Array> {
    return new Map(this.parameters.map(({ name, data }) => [name, data]));
  }

  /** Another set of the same names and shapes, all zero; `shared` as for the constructor. */
  zeros(options: { shared?: boolean } = {}): ParameterSet {
    return new ParameterSet(this.parameters, options);
  }

  copy(): ParameterSet {
    const set = this.zeros();
    set.data.set(this.data);
    return set;
  }

  /** Takes over the values of arrays with the same names and shapes; `place` names the source in errors. */
  assign(arrays: ReadonlyMap<string, { shape: readonly number[]; data: Float32Array }>, place: string): void {
    for (const { name, shape, data } of this.parameters) {
      const array = arrays.get(name);
      if (array === undefined) throw new HeedError(place, `has no parameter ${name}.`);
      if (formatShape(array.shape) !== formatShape(shape)) {
        const rule = `${name} must be ${formatShape(shape)} for this architecture`;
        throw new HeedError(place, `${rule}, got ${formatShape(array.shape)}.`);
      }
      data.set(array.data);
    }
    if (arrays.size !== this.parameters.length) {
      const known = new Set(this.parameters.map(({ name }) => name));
      const extra = [...arrays.keys()].filter((name) => !known.has(name));
      throw new HeedError(place, `has parameters that this architecture lacks: ${extra.slice(0, 3).join(', ')}.`);
    }
  }
}

/** The parameters that outputs are computed from, in the order of computation. */
export function parametersOf(outputs: Iterable<Tensor>): TensorOf<ParameterAttributes>[] {
  return topologicalOrder(outputs).filter((tensor) => isA(tensor, operators.parameter));
}

function parameterAttributes(tensors: readonly Tensor[]): ParameterAttributes[] {
  return tensors.map((tensor) => {
    if (isA(tensor, operators.parameter)) return tensor.attributes;
    throw new HeedError('parameters', `needs parameters, got a tensor computed by ${tensor.operator.name}.`);
  });
}

function fill(data: Float32Array, initial: Initial, random: Random): void {
  switch (initial.kind) {
    case 'constant':
      data.fill(initial.value);
      break;
    case 'normal':
      for (let i = 0; i < data.length; i++) data[i] = random.normal() * initial.deviation;
      break;
    case 'uniform':
      for (let i = 0; i < data.length; i++) data[i] = (2 * random.uniform() - 1) * initial.limit;
      break;
  }
}
