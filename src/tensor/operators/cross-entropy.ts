// Label-smoothed cross-entropy over a vocabulary (section 5.4), and its gradient, each in as few passes over the
// [tokens, vocabulary] array as ONNX allows: that array is by far the largest of the training step.

import { HeedError } from '../../base/error.ts';
import { noGradient, type Operator } from '../operator.ts';
import { formatShape, sameShape } from '../shape.ts';
import { logSoftmaxRows, map, tabulate, type Value } from '../value.ts';

/** ONNX's code for int64 as a Cast target. */
const INT64 = 7;

export interface CrossEntropyAttributes {
  /** ε: the expected token gets (1 − ε) + ε/V of the target distribution, every other token ε/V. */
  readonly smoothing: number;
}

/**
 * logits [… V], expected ids […], and if known the mean of the logits […] → the loss of each token […].
 * Output 1 is its negative log-likelihood without smoothing, output 2 the probabilities [… V].
 */
export const crossEntropy: Operator<CrossEntropyAttributes> = {
  name: 'crossEntropy',
  infer([logits, expected]) {
    if (!sameShape(logits.shape.slice(0, -1), expected.shape) || typeof logits.shape.at(-1) !== 'number') {
      const got = `got ${formatShape(logits.shape)} and ${formatShape(expected.shape)}`;
      throw new HeedError('crossEntropy', `needs logits over a known vocabulary for each expected id, ${got}.`);
    }
    const perToken = { dtype: logits.dtype, shape: expected.shape };
    return [perToken, perToken, { dtype: logits.dtype, shape: logits.shape }];
  },
  gradient({ inputs: [, expected], output, attributes, gradient: g, f }) {
    return [f.crossEntropyGradient(f.outputAt(output, 2), expected, g, attributes.smoothing), undefined, undefined];
  },
  // −log p = (largest logit − logit) − log of the largest probability, without computing the logarithm of the whole array.
  lower(emit, [logits, expected, mean], { attributes: { smoothing } }) {
    const last = emit.int64s([-1]);
    const probabilities = emit.node('Softmax', [logits], { axis: -1 });
    const largest = emit.node('ReduceMax', [logits, last], { keepdims: 0 });
    const logLargest = emit.node('Log', [emit.node('ReduceMax', [probabilities, last], { keepdims: 0 })]);
    const lossOf = (logit: string) => emit.node('Sub', [emit.node('Sub', [largest, logit]), logLargest]);
    const place = emit.node('Unsqueeze', [expected, last]);
    const gold = emit.node('Squeeze', [emit.node('GatherElements', [logits, place], { axis: -1 }), last]);
    const nll = lossOf(gold);
    if (smoothing === 0) return [nll, nll, probabilities];
    const certain = emit.node('Mul', [nll, emit.floats(1 - smoothing)]);
    const uniform = lossOf(mean ?? emit.node('ReduceMean', [logits, last], { keepdims: 0 }));
    return [emit.node('Add', [certain, emit.node('Mul', [uniform, emit.floats(smoothing)])]), nll, probabilities];
  },
  evaluate([logits, expected], { smoothing }) {
    const logProbabilities = logSoftmaxRows(logits);
    const width = logits.shape[logits.shape.length - 1];
    const perToken = (loss: (row: Float64Array, id: number) => number): Value => {
      const data = expected.data.map((id, i) => loss(logProbabilities.data.subarray(i * width, (i + 1) * width), id));
      return { shape: expected.shape, data };
    };
    const mean = (row: Float64Array) => row.reduce((sum, value) => sum + value, 0) / width;
    return [
      perToken((row, id) => -(1 - smoothing) * row[id] - smoothing * mean(row)),
      perToken((row, id) => -row[id]),
      map(logProbabilities, Math.exp),
    ];
  },
};

/** probabilities p [… V], expected ids […], gradient g of each token's loss […] → gradient of the logits: (p − q) · g. */
export const crossEntropyGradient: Operator<CrossEntropyAttributes> = {
  name: 'crossEntropyGradient',
  infer: ([probabilities]) => [{ dtype: probabilities.dtype, shape: probabilities.shape }],
  gradient: noGradient,
  // The logits are x W, and the gradients (p − q)·g Wᵀ and xᵀ (p − q)·g. Since q is ε/V everywhere and 1 − ε more at one index
  // of each row, neither needs another array of the size of p.
  factorGradients({ inputs: [p, expected, g], attributes: { smoothing } }, [x, w], f) {
    const vocabulary = Number(p.shape.at(-1));
    const rows = f.transpose(w); // [V, d]
    const everywhere = f.scale(f.sum(rows, { axes: [0] }), smoothing / vocabulary);
    const gold = f.scale(f.gather(rows, expected), 1 - smoothing);
    const toX = f.multiply(f.subtract(f.subtract(f.matmul(p, rows), everywhere), gold), f.unsqueeze(g, -1));

    const weighted = f.flattenRows(f.multiply(x, f.unsqueeze(g, -1))); // [tokens, d]
    const summed = f.scale(f.sum(weighted, { axes: [0] }), smoothing / vocabulary);
    const scattered = f.scatterAdd(
      f.reshape(expected, weighted.shape.slice(0, 1)),
      f.scale(weighted, smoothing - 1),
      vocabulary,
    );
    // The smaller factor and then the result are transposed for the product, not p.
    const product = f.transpose(f.matmul(f.transpose(weighted), f.flattenRows(p))); // [V, d]
    return [toX, f.transpose(f.add(f.subtract(product, summed), scattered))];
  },
  lower(emit, [probabilities, expected, g], { inputs, attributes: { smoothing } }) {
    const last = emit.int64s([-1]);
    const vocabulary = Number(inputs[0].shape.at(-1));
    const perToken = emit.node('Unsqueeze', [g, last]);
    const excess =
      smoothing === 0 ? probabilities : emit.node('Sub', [probabilities, emit.floats(smoothing / vocabulary)]);
    const everywhere = emit.node('Mul', [excess, perToken]);
    const place = emit.node('Cast', [emit.node('Unsqueeze', [expected, last])], { to: INT64 });
    const atGold = emit.node('Mul', [perToken, emit.floats(smoothing - 1)]);
    return [emit.node('ScatterElements', [everywhere, place, atGold], { axis: -1, reduction: 'add' })];
  },
  evaluate([probabilities, expected, g], { smoothing }) {
    const width = probabilities.shape[probabilities.shape.length - 1];
    const flat = tabulate([expected.data.length, width], ([token, id]) => {
      const target = (id === expected.data[token] ? 1 - smoothing : 0) + smoothing / width;
      return (probabilities.data[token * width + id] - target) * g.data[token];
    });
    return [{ shape: probabilities.shape, data: flat.data }];
  },
};
