// Operators along the last axis: softmax, its logarithm, and layer normalisation.

import { HeedError } from '../../base/error.ts';
import type { Operator } from '../operator.ts';
import { formatShape } from '../shape.ts';
import { logSoftmaxRows, map, mapRows } from '../value.ts';

type NoAttributes = Record<string, never>;

export const softmax: Operator<NoAttributes> = {
  name: 'softmax',
  infer: ([x]) => [{ dtype: x.dtype, shape: x.shape }],
  gradient({ output: y, gradient: g, f }) {
    const weighted = f.multiply(g, y);
    const total = f.sum(weighted, { axes: [-1], keep: true });
    return [f.subtract(weighted, f.multiply(y, total))];
  },
  lower: (emit, inputs) => [emit.node('Softmax', inputs, { axis: -1 })],
  evaluate: ([x]) => [map(logSoftmaxRows(x), Math.exp)],
};

export const logSoftmax: Operator<NoAttributes> = {
  name: 'logSoftmax',
  infer: ([x]) => [{ dtype: x.dtype, shape: x.shape }],
  gradient({ output: y, gradient: g, f }) {
    const total = f.sum(g, { axes: [-1], keep: true });
    return [f.subtract(g, f.multiply(f.exp(y), total))];
  },
  lower: (emit, inputs) => [emit.node('LogSoftmax', inputs, { axis: -1 })],
  evaluate: ([x]) => [logSoftmaxRows(x)],
};

export interface LayerNormalizationAttributes {
  /** Added to the variance inside the square root. */
  readonly epsilon: number;
}

/**
 * x [… d], weight [d], bias [d] → (x − mean) / √(variance + ε) · weight + bias, with the biased variance over d.
 * Outputs 1 and 2 are the mean and 1 / √(variance + ε), [… 1], for the backward pass.
 */
export const layerNormalization: Operator<LayerNormalizationAttributes> = {
  name: 'layerNormalization',
  infer([x, weight, bias]) {
    const width = x.shape.at(-1);
    if (weight.shape.length !== 1 || weight.shape[0] !== width || bias.shape.length !== 1 || bias.shape[0] !== width) {
      const got = [x, weight, bias].map(({ shape }) => formatShape(shape)).join(', ');
      throw new HeedError('layerNormalization', `weight and bias must be as wide as the input, got ${got}.`);
    }
    const statistic = { dtype: x.dtype, shape: x.shape.with(-1, 1) };
    return [{ dtype: x.dtype, shape: x.shape }, statistic, statistic];
  },
  gradient({ inputs: [x, weight, bias], output, gradient: g, f }) {
    const [mean, inverseDeviation] = [f.outputAt(output, 1), f.outputAt(output, 2)];
    const normalized = f.multiply(f.subtract(x, mean), inverseDeviation);
    const toWeight = f.multiply(g, normalized);
    // Means of g · weight and of g · normalized · weight over a row, computed as products to avoid temporary arrays.
    const share = f.scale(weight, 1 / Number(weight.shape[0]));
    const shift = f.reshape(f.dot(g, share), mean.shape, mean);
    const slope = f.reshape(f.dot(toWeight, share), mean.shape, mean);
    const centred = f.subtract(f.subtract(f.multiply(g, weight), shift), f.multiply(normalized, slope));
    return [f.multiply(centred, inverseDeviation), f.sumTo(toWeight, weight.shape), f.sumTo(g, bias.shape)];
  },
  lower(emit, inputs, { attributes: { epsilon } }) {
    return emit.nodes('LayerNormalization', inputs, 3, { axis: -1, epsilon: { float: epsilon } });
  },
  evaluate([x, weight, bias], { epsilon }) {
    const statistics = (shape: readonly number[]) => ({ shape, data: new Float64Array(x.data.length / width) });
    const width = x.shape[x.shape.length - 1];
    const mean = statistics(x.shape.with(-1, 1));
    const inverse = statistics(x.shape.with(-1, 1));
    const output = mapRows(x, (row, out, index) => {
      const centre = row.reduce((sum, value) => sum + value, 0) / width;
      const variance = row.reduce((sum, value) => sum + (value - centre) ** 2, 0) / width;
      mean.data[index] = centre;
      inverse.data[index] = 1 / Math.sqrt(variance + epsilon);
      row.forEach((value, i) => {
        out[i] = (value - centre) * inverse.data[index] * weight.data[i] + bias.data[i];
      });
    });
    return [output, mean, inverse];
  },
};
