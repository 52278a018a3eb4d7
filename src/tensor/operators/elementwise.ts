// Elementwise operators with broadcasting: arithmetic, activations, comparisons with results 0 and 1.

import { HeedError } from '../../base/error.ts';
import { type GradientContext, noGradient, type OnnxAttribute, type Operator } from '../operator.ts';
import { broadcastShapes, formatShape } from '../shape.ts';
import type { Tensor } from '../tensor.ts';
import { map, zip } from '../value.ts';

type NoAttributes = Record<string, never>;

/** ONNX's code for float32 as a Cast target. */
const FLOAT = 1;

function inferBroadcast(name: string) {
  return ([a, b]: readonly Tensor[]) => {
    const shape = broadcastShapes(a.shape, b.shape);
    if (shape === undefined || a.dtype !== b.dtype) {
      const got = `${a.dtype} ${formatShape(a.shape)} and ${b.dtype} ${formatShape(b.shape)}`;
      throw new HeedError(name, `shapes must be equal or broadcast from 1, and dtypes be equal, got ${got}.`);
    }
    return [{ dtype: a.dtype, shape }];
  };
}

interface Binary {
  name: string;
  onnx: string;
  compute(x: number, y: number): number;
  gradient(context: GradientContext<NoAttributes>): [Tensor, Tensor];
}

function binary({ name, onnx, compute, gradient }: Binary): Operator<NoAttributes> {
  return {
    name,
    infer: inferBroadcast(name),
    gradient(context) {
      const { f, inputs } = context;
      return gradient(context).map((g, i) => f.sumTo(g, inputs[i].shape));
    },
    lower: (emit, inputs) => [emit.node(onnx, inputs)],
    evaluate: ([a, b]) => [zip(a, b, compute)],
  };
}

export const add = binary({
  name: 'add',
  onnx: 'Add',
  compute: (x, y) => x + y,
  gradient: ({ gradient: g }) => [g, g],
});

export const subtract = binary({
  name: 'subtract',
  onnx: 'Sub',
  compute: (x, y) => x - y,
  gradient: ({ gradient: g, f }) => [g, f.scale(g, -1)],
});

export const multiply = binary({
  name: 'multiply',
  onnx: 'Mul',
  compute: (x, y) => x * y,
  gradient: ({ inputs: [a, b], gradient: g, f }) => [f.multiply(g, b), f.multiply(g, a)],
});

export const divide = binary({
  name: 'divide',
  onnx: 'Div',
  compute: (x, y) => x / y,
  gradient({ inputs: [, b], output, gradient: g, f }) {
    const quotient = f.divide(g, b);
    return [quotient, f.scale(f.multiply(quotient, output), -1)];
  },
});

interface Unary {
  name: string;
  onnx: string;
  attributes?: Record<string, OnnxAttribute>;
  compute(x: number): number;
  gradient(context: GradientContext<NoAttributes>): Tensor | undefined;
}

function unary({ name, onnx, attributes, compute, gradient }: Unary): Operator<NoAttributes> {
  return {
    name,
    infer: ([x]) => [{ dtype: x.dtype, shape: x.shape }],
    gradient: (context) => [gradient(context)],
    lower: (emit, inputs) => [emit.node(onnx, inputs, attributes)],
    evaluate: ([x]) => [map(x, compute)],
  };
}

export const exponential = unary({
  name: 'exp',
  onnx: 'Exp',
  compute: Math.exp,
  gradient: ({ output, gradient: g, f }) => f.multiply(g, output),
});

export const sine = unary({
  name: 'sin',
  onnx: 'Sin',
  compute: Math.sin,
  gradient: ({ inputs: [x], gradient: g, f }) => f.multiply(g, f.cos(x)),
});

export const cosine = unary({
  name: 'cos',
  onnx: 'Cos',
  compute: Math.cos,
  gradient: ({ inputs: [x], gradient: g, f }) => f.scale(f.multiply(g, f.sin(x)), -1),
});

export const sigmoid = unary({
  name: 'sigmoid',
  onnx: 'Sigmoid',
  compute: (x) => 1 / (1 + Math.exp(-x)),
  gradient({ output: y, gradient: g, f }) {
    const slope = f.subtract(y, f.multiply(y, y));
    return f.multiply(g, slope);
  },
});

export const hyperbolicTangent = unary({
  name: 'tanh',
  onnx: 'Tanh',
  compute: Math.tanh,
  gradient: ({ output: y, gradient: g, f }) => f.subtract(g, f.multiply(g, f.multiply(y, y))),
});

/** 1 where x > 0, else 0: the derivative of ReLU. */
export const positive: Operator<NoAttributes> = {
  name: 'positive',
  infer: ([x]) => [{ dtype: 'float32', shape: x.shape }],
  gradient: noGradient,
  lower: (emit, [x]) => [emit.node('Cast', [emit.node('Greater', [x, emit.floats(0)])], { to: FLOAT })],
  evaluate: ([x]) => [map(x, (value) => (value > 0 ? 1 : 0))],
};

export const relu = unary({
  name: 'relu',
  onnx: 'Relu',
  compute: (x) => Math.max(x, 0),
  gradient: ({ output, gradient: g, f }) => f.multiply(g, f.positive(output)),
});

/** The error function: 2 Φ(√2 x) − 1. */
export const errorFunction = unary({
  name: 'erf',
  onnx: 'Erf',
  compute: erf,
  gradient({ inputs: [x], gradient: g, f }) {
    const bell = f.exp(f.scale(f.multiply(x, x), -1));
    return f.multiply(g, f.scale(bell, 2 / Math.sqrt(Math.PI)));
  },
});

export interface ScaleAttributes {
  readonly factor: number;
}

/** A product with a number. */
export const scale: Operator<ScaleAttributes> = {
  name: 'scale',
  infer: ([x]) => [{ dtype: x.dtype, shape: x.shape }],
  gradient: ({ gradient: g, attributes: { factor }, f }) => [f.scale(g, factor)],
  lower: (emit, [x], { attributes: { factor } }) => [emit.node('Mul', [x, emit.floats(factor)])],
  evaluate: ([x], { factor }) => [map(x, (value) => value * factor)],
};

export interface AddScalarAttributes {
  readonly by: number;
}

/** A sum with a number. */
export const addScalar: Operator<AddScalarAttributes> = {
  name: 'addScalar',
  infer: ([x]) => [{ dtype: x.dtype, shape: x.shape }],
  gradient: ({ gradient: g }) => [g],
  lower: (emit, [x], { attributes: { by } }) => [emit.node('Add', [x, emit.floats(by)])],
  evaluate: ([x], { by }) => [map(x, (value) => value + by)],
};

export interface NotEqualAttributes {
  readonly from: number;
}

/** 1 where an id is not the given one, else 0: masks padding. */
export const notEqual: Operator<NotEqualAttributes> = {
  name: 'notEqual',
  infer: ([x]) => [{ dtype: 'float32', shape: x.shape }],
  gradient: noGradient,
  lower(emit, [x], { attributes: { from } }) {
    const equal = emit.node('Equal', [x, emit.int32s(from)]);
    return [emit.node('Cast', [emit.node('Not', [equal])], { to: FLOAT })];
  },
  evaluate: ([x], { from }) => [map(x, (id) => (id === from ? 0 : 1))],
};

/** 1 where a ≤ b, else 0, for int32: with positions, the causal mask. */
export const lessOrEqual: Operator<NoAttributes> = {
  name: 'lessOrEqual',
  infer: (inputs) => [{ dtype: 'float32', shape: inferBroadcast('lessOrEqual')(inputs)[0].shape }],
  gradient: noGradient,
  lower: (emit, inputs) => [emit.node('Cast', [emit.node('LessOrEqual', inputs)], { to: FLOAT })],
  evaluate: ([a, b]) => [zip(a, b, (x, y) => (x <= y ? 1 : 0))],
};

/** int32 as float32. */
export const toFloat: Operator<NoAttributes> = {
  name: 'toFloat',
  infer: ([x]) => [{ dtype: 'float32', shape: x.shape }],
  gradient: noGradient,
  lower: (emit, inputs) => [emit.node('Cast', inputs, { to: FLOAT })],
  evaluate: ([x]) => [x],
};

/** erf to 1e-15: the Maclaurin series near 0, a continued fraction for erfc further out. */
function erf(x: number): number {
  const t = Math.abs(x);
  if (t > 6) return Math.sign(x);
  if (t < 2.5) {
    let term = x;
    let sum = x;
    for (let n = 1; n < 80; n++) {
      term *= (-x * x) / n;
      sum += term / (2 * n + 1);
    }
    return (2 / Math.sqrt(Math.PI)) * sum;
  }
  let fraction = t;
  for (let n = 60; n > 0; n--) fraction = t + n / 2 / fraction;
  return Math.sign(x) * (1 - Math.exp(-t * t) / (Math.sqrt(Math.PI) * fraction));
}
