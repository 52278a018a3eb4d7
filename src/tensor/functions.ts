// Functions over tensors, from which models are built. Each adds one or a few nodes to the graph; nothing is computed.

import { HeedError } from '../base/error.ts';
import type { DType, Operator } from './operator.ts';
import * as crossEntropies from './operators/cross-entropy.ts';
import * as elementwise from './operators/elementwise.ts';
import * as layout from './operators/layout.ts';
import * as leaf from './operators/leaf.ts';
import { matmul as matmulOperator } from './operators/matmul.ts';
import * as normalize from './operators/normalize.ts';
import * as reduce from './operators/reduce.ts';
import * as select from './operators/select.ts';
import { formatShape, positiveAxis, productOf, type Shape, sameShape, stretchedAxes } from './shape.ts';
import { apply, dimension, isA, type Tensor } from './tensor.ts';

export { scan, scanOf } from './recurrence.ts';

// Leaves

/** An input: each run is fed its value under this name. */
export function input(name: string, dtype: DType, shape: Shape): Tensor {
  return apply(leaf.input, [], { name, dtype, shape });
}

/** A parameter: a learned array, identified by its name among a model's weights. */
export function parameter(name: string, shape: readonly number[], initial: leaf.Initial): Tensor {
  return apply(leaf.parameter, [], { name, shape, initial });
}

/** A float32 constant; values row-major. */
export function constant(shape: readonly number[], values: readonly number[] | Float32Array): Tensor {
  return apply(leaf.constant, [], { dtype: 'float32', shape, values });
}

/** An int32 constant; values row-major. */
export function constantIds(shape: readonly number[], values: readonly number[] | Int32Array): Tensor {
  return apply(leaf.constant, [], { dtype: 'int32', shape, values });
}

/** Dropout's random mask: 0 with probability `rate`, else 1 / (1 − rate). Drawn for each run by its seeded generator. */
export function keepMask(shape: Shape, rate: number): Tensor {
  if (!(rate >= 0 && rate < 1)) throw new HeedError('keepMask', `rate must lie in [0, 1), got ${rate}.`);
  return apply(leaf.keepMask, [], { shape, rate });
}

/** 0, 1, 2, … along an axis of x, int32 [dim]. */
export function range(x: Tensor, axis: number): Tensor {
  return apply(leaf.range, [x], { axis: positiveAxis(axis, x.shape.length) });
}

// Elementwise, with broadcasting

export function add(a: Tensor, b: Tensor): Tensor {
  return apply(elementwise.add, [a, b], {});
}

export function subtract(a: Tensor, b: Tensor): Tensor {
  return apply(elementwise.subtract, [a, b], {});
}

export function multiply(a: Tensor, b: Tensor): Tensor {
  return apply(elementwise.multiply, [a, b], {});
}

export function divide(a: Tensor, b: Tensor): Tensor {
  return apply(elementwise.divide, [a, b], {});
}

/** x · factor */
export function scale(x: Tensor, factor: number): Tensor {
  return apply(elementwise.scale, [x], { factor });
}

/** x + by */
export function addScalar(x: Tensor, by: number): Tensor {
  return apply(elementwise.addScalar, [x], { by });
}

export const exp = unary(elementwise.exponential);
export const sin = unary(elementwise.sine);
export const cos = unary(elementwise.cosine);
/** 1 where x > 0, else 0 */
export const positive = unary(elementwise.positive);
export const relu = unary(elementwise.relu);
export const sigmoid = unary(elementwise.sigmoid);
export const tanh = unary(elementwise.hyperbolicTangent);
export const erf = unary(elementwise.errorFunction);
/** int32 → float32 */
export const toFloat = unary(elementwise.toFloat);

function unary(operator: Operator<Record<string, never>>): (x: Tensor) => Tensor {
  return (x) => apply(operator, [x], {});
}

/** x · Φ(x), Φ the standard normal distribution function (exact, not the tanh approximation). */
export function gelu(x: Tensor): Tensor {
  const twicePhi = addScalar(erf(scale(x, Math.SQRT1_2)), 1);
  return scale(multiply(x, twicePhi), 0.5);
}

/** x · sigmoid(x) */
export function silu(x: Tensor): Tensor {
  return multiply(x, sigmoid(x));
}

/** 1 where an id is not `from`, else 0. */
export function notEqual(ids: Tensor, from: number): Tensor {
  return apply(elementwise.notEqual, [ids], { from });
}

/** 1 where a ≤ b, else 0; int32. */
export function lessOrEqual(a: Tensor, b: Tensor): Tensor {
  return apply(elementwise.lessOrEqual, [a, b], {});
}

// Products and sums

/** [… n, k] × [… k, m] → [… n, m] */
export function matmul(a: Tensor, b: Tensor): Tensor {
  return apply(matmulOperator, [a, b], {});
}

/**
 * The product of each row with a vector: [… d] and [d] → [all]. It is computed as one row times a matrix, since onnxruntime's
 * result for a matrix times one column depends, in its last bits, on the number of threads.
 */
export function dot(x: Tensor, vector: Tensor): Tensor {
  const products = matmul(unsqueeze(vector, 0), transpose(flattenRows(x))); // [1, all]
  return reshape(products, products.shape.slice(1));
}

/** Sum along axes, all by default; an axis may count from the end. */
export function sum(x: Tensor, options: { axes?: readonly number[]; keep?: boolean } = {}): Tensor {
  const axes = (options.axes ?? x.shape.map((_, axis) => axis)).map((axis) => positiveAxis(axis, x.shape.length));
  return apply(reduce.sum, [x], { axes, keep: options.keep ?? false });
}

/** Mean along the last axis, which is kept with size 1: [… d] → [… 1] */
export function mean(x: Tensor): Tensor {
  const width = dimension(x, -1);
  if (typeof width === 'string') throw new HeedError('mean', `needs a known last dimension, got ${width}.`);
  return scale(sum(x, { axes: [-1], keep: true }), 1 / width);
}

/** x broadcast to the shape of another tensor. */
export function stretchTo(x: Tensor, like: Tensor): Tensor {
  return sameShape(x.shape, like.shape) ? x : apply(reduce.stretch, [x, like], {});
}

/** The reverse of broadcasting: sums over the axes along which `shape` was broadcast to x's. */
export function sumTo(x: Tensor, shape: Shape): Tensor {
  const missing = x.shape.length - shape.length;
  const axes = stretchedAxes(shape, x.shape);
  const leading = axes.filter((axis) => axis < missing);
  const inner = axes.filter((axis) => axis >= missing).map((axis) => axis - missing);
  const lowered = leading.length === 0 ? x : sum(x, { axes: leading });
  return inner.length === 0 ? lowered : sum(lowered, { axes: inner, keep: true });
}

// Layout

/** The same entries in another shape; `like` has that shape and is needed only if several named dimensions move. */
export function reshape(x: Tensor, shape: Shape, like?: Tensor): Tensor {
  if (sameShape(x.shape, shape)) return x;
  const inputs = like === undefined || layout.isPlainReshape(x.shape, shape) ? [x] : [x, like];
  return apply(layout.reshape, inputs, { from: x.shape, shape });
}

/** [… d] → [all, d] */
export function flattenRows(x: Tensor): Tensor {
  return reshape(x, [productOf(x.shape.slice(0, -1)), dimension(x, -1)]);
}

/** A new axis of size 1; `unsqueeze([b, t], 1)` is [b, 1, t]. */
export function unsqueeze(x: Tensor, axis: number): Tensor {
  const place = axis < 0 ? axis + x.shape.length + 1 : axis;
  return reshape(x, x.shape.toSpliced(place, 0, 1));
}

/**
 * Permutes axes: axis i of the result is axis order[i] of x. A permutation and its inverse cancel out; if only axes of size 1
 * move, it is a reshape.
 */
export function permute(x: Tensor, order: readonly number[]): Tensor {
  const before = layout.orderOf(x);
  if (before !== undefined && order.every((axis, i) => before[axis] === i)) return x.inputs[0];
  const permuted = apply(layout.transpose, [x], { order });
  const isReshape = layout.keepsEntriesInPlace(x.shape, order) && layout.isPlainReshape(x.shape, permuted.shape);
  return isReshape ? reshape(x, permuted.shape) : permuted;
}

/** The last two axes exchanged: [… n, m] → [… m, n] */
export function transpose(x: Tensor): Tensor {
  const rank = x.shape.length;
  if (rank < 2) throw new HeedError('transpose', `needs a matrix, got ${formatShape(x.shape)}.`);
  return permute(x, layout.matrixTransposition(rank));
}

/** What x is the transpose of, if it is one. */
export function untransposed(x: Tensor): Tensor | undefined {
  return layout.transposedOf(x);
}

export function concatenate(tensors: readonly Tensor[], axis: number): Tensor {
  return apply(layout.concatenate, tensors, { axis: positiveAxis(axis, tensors[0].shape.length) });
}

/** Entries start … end−1 along an axis, or from start on. */
export function slice(x: Tensor, { axis, start, end }: layout.SliceAttributes): Tensor {
  return apply(layout.slice, [x], { axis: positiveAxis(axis, x.shape.length), start, end });
}

/** Zeros before and after along an axis. */
export function pad(x: Tensor, { axis, before, after }: layout.PadAttributes): Tensor {
  if (before === 0 && after === 0) return x;
  return apply(layout.pad, [x], { axis: positiveAxis(axis, x.shape.length), before, after });
}

// Selection

/** table [rows, …], ids int32 → [ids' shape, …] */
export function gather(table: Tensor, ids: Tensor): Tensor {
  return apply(select.gather, [table, ids], {});
}

/** ids, updates [ids' shape, …] → [rows, …], updates of the same id are added. */
export function scatterAdd(ids: Tensor, updates: Tensor, rows: number): Tensor {
  return apply(select.scatterAdd, [ids, updates], { rows });
}

/** The `count` largest entries along the last axis, sorted, and their indices (int32). */
export function top(x: Tensor, count: number): { values: Tensor; places: Tensor } {
  const values = apply(select.top, [x], { count });
  return { values, places: outputAt(values, 1) };
}

/** The index of the largest entry along the last axis: [… n] → int32 […] */
export function largest(x: Tensor): Tensor {
  return apply(select.largest, [x], {});
}

/** A further output of a node with several. */
export function outputAt(x: Tensor, index: number): Tensor {
  return apply(select.outputAt, [x], { index });
}

// Along the last axis

export const softmax = unary(normalize.softmax);
export const logSoftmax = unary(normalize.logSoftmax);

/** (x − mean) / √(variance + ε) · weight + bias, over the last axis. */
export function layerNormalization(x: Tensor, weight: Tensor, bias: Tensor, epsilon: number): Tensor {
  return apply(normalize.layerNormalization, [x, weight, bias], { epsilon });
}

/** logits [… V], expected ids […] → smoothed loss of each token; `outputAt` 1: negative log-likelihood. */
export function crossEntropy(logits: Tensor, expected: Tensor, smoothing: number): Tensor {
  const mean = smoothing === 0 ? undefined : meanOfProduct(logits);
  const inputs = mean === undefined ? [logits, expected] : [logits, expected, reshape(mean, expected.shape, expected)];
  return apply(crossEntropies.crossEntropy, inputs, { smoothing });
}

/** The mean along the last axis, if the tensor is a product x W: x times the mean column of W, without reading the product. */
function meanOfProduct(logits: Tensor): Tensor | undefined {
  const [x, w] = logits.inputs;
  if (!isA(logits, matmulOperator) || w.shape.length !== 2) return undefined;
  return dot(x, scale(sum(transpose(w), { axes: [0] }), 1 / Number(w.shape[1])));
}

export function crossEntropyGradient(
  probabilities: Tensor,
  expected: Tensor,
  gradient: Tensor,
  smoothing: number,
): Tensor {
  return apply(crossEntropies.crossEntropyGradient, [probabilities, expected, gradient], { smoothing });
}
