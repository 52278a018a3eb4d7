// Label-smoothed cross-entropy over a vocabulary (section 5.4), and its gradient, each in as few passes over the
// [tokens, vocabulary] array as ONNX allows: that array is by far the largest of the training step.

import { HeedError } from '../../base/error.ts';
import { noGradient, type Operator } from '../operator.ts';
import { formatShape, sameShape } from '../shape.ts';
import { logSoftmaxRows, tabulate, type Value } from '../value.ts';

/** ONNX's code for int64 as a Cast target. */
const INT64 = 7;

export interface CrossEntropyAttributes {
  /** ε: the expected token gets (1 − ε) + ε/V of the target distribution, every other token ε/V. */
  readonly smoothing: number;
}

/**
 * logits [… V], expected ids […] → the loss of each token […].
 * Part 1 is its negative log-likelihood without smoothing, part 2 the log-probabilities [… V].
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
    return [f.crossEntropyGradient(f.part(output, 2), expected, g, attributes.smoothing), undefined];
  },
  lower(emit, [logits, expected], { attributes: { smoothing } }) {
    const logProbabilities = emit.node('LogSoftmax', [logits], { axis: -1 });
    const place = emit.node('Unsqueeze', [expected, emit.int64s([-1])]);
    const gold = emit.node('GatherElements', [logProbabilities, place], { axis: -1 });
    const nll = emit.node('Neg', [emit.node('Squeeze', [gold, emit.int64s([-1])])]);
    if (smoothing === 0) return [nll, nll, logProbabilities];
    const uniform = emit.node('ReduceMean', [logProbabilities, emit.int64s([-1])], { keepdims: 0 });
    const certain = emit.node('Mul', [nll, emit.floats(1 - smoothing)]);
    const smooth = emit.node('Mul', [uniform, emit.floats(-smoothing)]);
    return [emit.node('Add', [certain, smooth]), nll, logProbabilities];
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
      logProbabilities,
    ];
  },
};

/** log-probabilities [… V], expected ids […], gradient of each token's loss […] → gradient of the logits: (p − q) · g. */
export const crossEntropyGradient: Operator<CrossEntropyAttributes> = {
  name: 'crossEntropyGradient',
  infer: ([logProbabilities]) => [{ dtype: logProbabilities.dtype, shape: logProbabilities.shape }],
  gradient: noGradient,
  lower(emit, [logProbabilities, expected, g], { inputs, attributes: { smoothing } }) {
    const last = emit.int64s([-1]);
    const vocabulary = Number(inputs[0].shape.at(-1));
    const perToken = emit.node('Unsqueeze', [g, last]);
    const probabilities = emit.node('Exp', [logProbabilities]);
    const excess =
      smoothing === 0 ? probabilities : emit.node('Sub', [probabilities, emit.floats(smoothing / vocabulary)]);
    const everywhere = emit.node('Mul', [excess, perToken]);
    const place = emit.node('Cast', [emit.node('Unsqueeze', [expected, last])], { to: INT64 });
    const atGold = emit.node('Mul', [perToken, emit.floats(smoothing - 1)]);
    return [emit.node('ScatterElements', [everywhere, place, atGold], { axis: -1, reduction: 'add' })];
  },
  evaluate([logProbabilities, expected, g], { smoothing }) {
    const width = logProbabilities.shape[logProbabilities.shape.length - 1];
    const flat = tabulate([expected.data.length, width], ([token, id]) => {
      const target = (id === expected.data[token] ? 1 - smoothing : 0) + smoothing / width;
      return (Math.exp(logProbabilities.data[token * width + id]) - target) * g.data[token];
    });
    return [{ shape: logProbabilities.shape, data: flat.data }];
  },
};
