// The leaves of graphs: inputs, parameters, constants, dropout masks, and the range of a dimension.

import { HeedError } from '../../base/error.ts';
import { type DType, noGradient, type Operator, type TensorType } from '../operator.ts';
import { formatShape, type Shape } from '../shape.ts';
import { sizeOf, tabulate, type Value } from '../value.ts';

export interface InputAttributes {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: Shape;
}

/** Inputs, parameters and dropout masks are fed to a run, not computed. */
function fed<A extends { readonly shape: Shape }>(name: string, dtype: (attributes: A) => DType): Operator<A> {
  const missing = (): never => {
    throw new HeedError(name, 'is fed to a run, not computed; give its value.');
  };
  return {
    name,
    infer: (_, attributes) => [{ dtype: dtype(attributes), shape: attributes.shape }],
    gradient: noGradient,
    lower: missing,
    evaluate: missing,
  };
}

/** An input of a run, such as token ids [batch, source]. */
export const input = fed<InputAttributes>('input', (attributes) => attributes.dtype);

export interface ParameterAttributes {
  readonly name: string;
  readonly shape: readonly number[];
  /** Initial values in training: normal and uniform have mean 0, given by their standard deviation or limit. */
  readonly initial: Initial;
}

export type Initial =
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'normal'; readonly deviation: number }
  | { readonly kind: 'uniform'; readonly limit: number };

/** A learned array. */
export const parameter = fed<ParameterAttributes>('parameter', () => 'float32');

export interface KeepMaskAttributes {
  readonly shape: Shape;
  /** Probability that an entry is dropped; kept entries are 1 / (1 − rate), so that the expectation is 1. */
  readonly rate: number;
}

/** The random mask of dropout, drawn by the run's own seeded generator. */
export const keepMask = fed<KeepMaskAttributes>('keepMask', () => 'float32');

/** An input of the body of a scan: a state or a slice of a sequence. */
export const placeholder: Operator<TensorType> = {
  name: 'placeholder',
  infer: (_, type) => [type],
  gradient: noGradient,
  lower: outsideOfBody,
  evaluate: outsideOfBody,
};

function outsideOfBody(): never {
  throw new HeedError(
    'scan',
    'a state or slice exists within the body only, got one outside; return it from the body.',
  );
}

export interface ConstantAttributes {
  readonly dtype: 'float32' | 'int32';
  readonly shape: readonly number[];
  readonly values: readonly number[] | Float32Array | Int32Array;
}

export const constant: Operator<ConstantAttributes> = {
  name: 'constant',
  infer(_, { dtype, shape, values }) {
    if (values.length !== sizeOf(shape)) {
      const got = `got ${values.length} values for shape ${formatShape(shape)}`;
      throw new HeedError('constant', `needs as many values as its shape has entries, ${got}.`);
    }
    return [{ dtype, shape }];
  },
  gradient: noGradient,
  lower(emit, _, { attributes: { dtype, shape, values } }) {
    return [dtype === 'int32' ? emit.int32s(values, shape) : emit.floats(values, shape)];
  },
  evaluate: (_, { shape, values }): Value[] => [{ shape, data: Float64Array.from(values) }],
};

export interface RangeAttributes {
  readonly axis: number;
}

/** 0, 1, 2, … along an axis of its input, as int32 [dim]: the positions of a sequence. */
export const range: Operator<RangeAttributes> = {
  name: 'range',
  infer: ([x], { axis }) => [{ dtype: 'int32', shape: [x.shape[axis]] }],
  gradient: noGradient,
  lower(emit, [x], { attributes: { axis } }) {
    const length = emit.node('Shape', [x], { start: axis, end: axis + 1 });
    const scalar = emit.node('Squeeze', [emit.node('Cast', [length], { to: 6 })]);
    return [emit.node('Range', [emit.int32s(0), scalar, emit.int32s(1)])];
  },
  evaluate: ([x], { axis }) => [tabulate([x.shape[axis]], ([i]) => i)],
};
