// Errors of the shape rules of all operators. (Values and gradients: test/operators.test.ts.)

import { describe, expect, it } from 'vitest';
import { isHeedError } from '../../base/error.ts';
import * as t from '../index.ts';

const floats = (...shape: t.Dim[]) => t.input('x', 'float32', shape);
const ids = (...shape: t.Dim[]) => t.input('i', 'int32', shape);
const gradientOf = (build: (x: t.Tensor) => t.Tensor, x: t.Tensor) => t.gradients(t.sum(build(x)), [x]);

const rules: readonly (readonly [string, () => unknown])[] = [
  [
    'matmul: inner dimensions differ, got [batch, source, 512] × [256, 64].',
    () => t.matmul(floats('batch', 'source', 512), floats(256, 64)),
  ],
  ['matmul: needs matrices, got [512] × [512, 64].', () => t.matmul(floats(512), floats(512, 64))],
  ['matmul: needs matrices, got [2, 512] × [512].', () => t.matmul(floats(2, 512), floats(512))],
  [
    'matmul: leading dimensions do not fit, got [batch, 2, 3] × [heads, 3, 4].',
    () => t.matmul(floats('batch', 2, 3), floats('heads', 3, 4)),
  ],
  [
    'add: shapes must be equal or broadcast from 1, and dtypes be equal, got float32 [batch, source] and float32 [batch, target].',
    () => t.add(floats('batch', 'source'), floats('batch', 'target')),
  ],
  [
    'multiply: shapes must be equal or broadcast from 1, and dtypes be equal, got float32 [2] and int32 [2].',
    () => t.multiply(floats(2), ids(2)),
  ],
  [
    'lessOrEqual: shapes must be equal or broadcast from 1, and dtypes be equal, got int32 [2] and int32 [3].',
    () => t.lessOrEqual(ids(2), ids(3)),
  ],
  ['sum: axes must lie within [batch, 3], got 2.', () => t.sum(floats('batch', 3), { axes: [2] })],
  ['sum: axes must lie within [batch, 3], got -1.', () => t.sum(floats('batch', 3), { axes: [-3] })],
  ['stretch: [2] cannot be broadcast to [3].', () => t.stretchTo(floats(2), floats(3))],
  ['stretch: [2, 3] cannot be broadcast to [3].', () => t.stretchTo(floats(2, 3), floats(3))],
  [
    'reshape: needs the same number of entries before and after, got [batch, 6] to [batch, 2, 4].',
    () => t.reshape(floats('batch', 6), ['batch', 2, 4]),
  ],
  [
    'reshape: needs the same number of entries before and after, got [batch, 6] to [time, 6].',
    () => t.reshape(floats('batch', 6), ['time', 6]),
  ],
  ['transpose: order must name each axis of [2, 3] once, got 0,0.', () => t.permute(floats(2, 3), [0, 0])],
  ['transpose: order must name each axis of [2, 3] once, got 0,1,2.', () => t.permute(floats(2, 3), [0, 1, 2])],
  [
    'concatenate: shapes may differ along axis 1 only, got [2, 3] and [4, 3].',
    () => t.concatenate([floats(2, 3), floats(4, 3)], 1),
  ],
  [
    'concatenate: shapes may differ along axis 0 only, got [2] and [2, 1].',
    () => t.concatenate([floats(2), floats(2, 1)], 0),
  ],
  [
    'concatenate: needs a known length along its axis, got past.',
    () => gradientOf((past) => t.concatenate([past], 0), floats('past')),
  ],
  ['slice: must lie within 0…4, got 2…5.', () => t.slice(floats(4), { axis: 0, start: 2, end: 5 })],
  ['slice: must lie within 0…4, got 3…2.', () => t.slice(floats(4), { axis: 0, start: 3, end: 2 })],
  ['slice: must lie within 0…4, got -5…4.', () => t.slice(floats(4), { axis: 0, start: -5 })],
  ['slice: must lie within 0…4, got -1…2.', () => t.slice(floats(4), { axis: 0, start: -1, end: 2 })],
  [
    'slice: needs a known length along its axis, got time.',
    () => t.slice(floats('time'), { axis: 0, start: 0, end: 1 }),
  ],
  ['gather: ids must be int32, got float32.', () => t.gather(floats(5, 2), floats(3))],
  [
    'scatterAdd: rows must have a known size, got [width].',
    () => t.scatterAdd(ids('batch'), floats('batch', 'width'), 5),
  ],
  [
    'constant: needs as many values as its shape has entries, got 3 values for shape [2, 2].',
    () => t.constant([2, 2], [1, 2, 3]),
  ],
  [
    'layerNormalization: weight and bias must be as wide as the input, got [batch, 8], [8], [4].',
    () => t.layerNormalization(floats('batch', 8), floats(8), floats(4), 1e-6),
  ],
  [
    'layerNormalization: weight and bias must be as wide as the input, got [batch, 8], [1, 8], [8].',
    () => t.layerNormalization(floats('batch', 8), floats(1, 8), floats(8), 1e-6),
  ],
  [
    'crossEntropy: needs logits over a known vocabulary for each expected id, got [batch, target, 10] and [batch, source].',
    () => t.crossEntropy(floats('batch', 'target', 10), ids('batch', 'source'), 0),
  ],
  [
    'crossEntropy: needs logits over a known vocabulary for each expected id, got [batch, words] and [batch].',
    () => t.crossEntropy(floats('batch', 'words'), ids('batch'), 0),
  ],
];

const step = (states: t.Tensor[], outputs: t.Tensor[] = []) => ({ states, outputs });
const scanRules: readonly (readonly [string, () => unknown])[] = [
  [
    'scan: needs sequences of the same length along axis 1, got [batch, time, 4] and [batch, source].',
    () =>
      t.scan({ states: [], sequences: [floats('batch', 'time', 4), ids('batch', 'source')], axis: 1 }, () => step([])),
  ],
  [
    'scan: needs sequences of the same length along axis 0, got none.',
    () => t.scan({ states: [floats(3)], sequences: [], axis: 0 }, ([state]) => step([state])),
  ],
  [
    'scan: needs sequences of the same length along axis 0, got [].',
    () => t.scan({ states: [], sequences: [floats()], axis: 0 }, () => step([])),
  ],
  [
    'scan: needs sequences of the same length along axis -1, got [batch, time].',
    () => t.scan({ states: [], sequences: [floats('batch', 'time')], axis: -1 }, () => step([])),
  ],
  [
    'scan: a body must return each state it is given, got 1 of 2.',
    () => t.scan({ states: [floats(3), floats(3)], sequences: [floats('time')], axis: 0 }, ([state]) => step([state])),
  ],
  [
    'scan: a state must keep its type, got float32 [1, 4] and after a step float32 [batch, 4].',
    () => {
      const options = { states: [floats(1, 4)], sequences: [floats('batch', 'time', 4)], axis: 1 };
      return t.scan(options, ([state], [slice]) => step([t.add(state, slice)]));
    },
  ],
  [
    'scan: a state must keep its type, got int32 [batch] and after a step float32 [batch].',
    () =>
      t.scan({ states: [ids('batch')], sequences: [ids('batch', 'time')], axis: 1 }, ([state]) =>
        step([t.toFloat(state)]),
      ),
  ],
  [
    'scan: dropout in a body would drop the same entries at each step, got a keepMask; drop entries of what goes into the scan or comes out of it.',
    () => {
      const options = { states: [floats('batch', 4)], sequences: [floats('batch', 'time', 4)], axis: 1 };
      return t.scan(options, ([state]) => step([t.multiply(state, t.keepMask(state.shape, 0.1))]));
    },
  ],
  [
    'scan: a state or slice exists within the body only, got one outside; return it from the body.',
    () => {
      let escaped = floats();
      t.scan({ states: [], sequences: [floats('time')], axis: 0 }, (_, [slice]) => {
        escaped = slice;
        return step([], [slice]);
      });
      return t.evaluate([t.exp(escaped)], new Map());
    },
  ],
];

describe('rules', () => {
  it.each([...rules, ...scanRules])('%s', (message, build) => {
    const error = errorOf(build);
    expect(isHeedError(error)).toBe(true);
    expect(error).toHaveProperty('message', message);
  });

  it('reshape: two named dimensions that move need a tensor of the shape wanted', () => {
    const [x, like] = [floats('batch*time', 8), floats('batch', 'time', 8)];
    const rule = 'reshape: at most one named dimension may change its place';
    const value = { shape: [6, 8], data: new Float64Array(48) };
    expect(() => t.evaluate([t.reshape(x, ['batch', 'time', 8])], new Map([[x, value]]))).toThrow(rule);
    const target = { shape: [2, 3, 8], data: new Float64Array(48) };
    const [split] = t.evaluate(
      [t.reshape(x, like.shape, like)],
      new Map([
        [x, value],
        [like, target],
      ]),
    );
    expect(split.shape).toEqual([2, 3, 8]);
  });
});

function errorOf(build: () => unknown): unknown {
  try {
    build();
  } catch (error) {
    return error;
  }
  return undefined;
}
