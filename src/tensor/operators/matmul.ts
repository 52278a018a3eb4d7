// The matrix product, with leading batch dimensions.

import { HeedError } from '../../base/error.ts';
import type { Operator } from '../operator.ts';
import { broadcastShapes, formatShape } from '../shape.ts';
import { entry, tabulate } from '../value.ts';

/** a [… n, k] × b [… k, m] → [… n, m]; leading dimensions are broadcast. */
export const matmul: Operator<Record<string, never>> = {
  name: 'matmul',
  infer([a, b]) {
    const got = `got ${formatShape(a.shape)} × ${formatShape(b.shape)}`;
    if (a.shape.length < 2 || b.shape.length < 2) throw new HeedError('matmul', `needs matrices, ${got}.`);
    if (a.shape.at(-1) !== b.shape.at(-2)) throw new HeedError('matmul', `inner dimensions differ, ${got}.`);
    const batch = broadcastShapes(a.shape.slice(0, -2), b.shape.slice(0, -2));
    if (batch === undefined) throw new HeedError('matmul', `leading dimensions do not fit, ${got}.`);
    return [{ dtype: 'float32', shape: [...batch, ...a.shape.slice(-2, -1), ...b.shape.slice(-1)] }];
  },
  gradient({ inputs: [a, b], gradient: g, f }) {
    if (b.shape.length === 2 && g.operator.factorGradients !== undefined)
      return g.operator.factorGradients(g, [a, b], f);
    const toA = f.sumTo(f.matmul(g, f.transpose(b)), a.shape);
    // A weight matrix is used at every position: one flattened product sums over all of them.
    const isWeight = b.shape.length === 2;
    const [left, slope] = isWeight ? [f.flattenRows(a), f.flattenRows(g)] : [a, g];
    // The gradient of a transposed b is computed transposed, so that its input gets it without a change of layout.
    const toB =
      f.untransposed(b) === undefined
        ? f.matmul(f.transpose(left), slope)
        : f.transpose(f.matmul(f.transpose(slope), left));
    return [toA, f.sumTo(toB, b.shape)];
  },
  lower: (emit, inputs) => [emit.node('MatMul', inputs)],
  evaluate([a, b]) {
    const [n, inner, m] = [a.shape.at(-2) ?? 0, a.shape.at(-1) ?? 0, b.shape.at(-1) ?? 0];
    const batch = broadcastShapes(a.shape.slice(0, -2), b.shape.slice(0, -2)) as readonly number[];
    const product = tabulate([...batch, n, m], (index) => {
      const [lead, i, j] = [index.slice(0, -2), index[index.length - 2], index[index.length - 1]];
      let sum = 0;
      for (let k = 0; k < inner; k++) sum += entry(a, [...lead, i, k]) * entry(b, [...lead, k, j]);
      return sum;
    });
    return [product];
  },
};
