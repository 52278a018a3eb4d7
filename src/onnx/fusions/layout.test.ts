import { describe, expect, it } from 'vitest';
import { concatenate, input, permute, reshape, type Tensor } from '../../tensor/index.ts';
import { lower } from '../lower.ts';

/** What is written, without the names of outputs. */
function nodesOf(output: Tensor) {
  const { nodes } = lower({ output }).graph;
  return nodes.filter(({ type }) => type !== 'Identity').map(({ type, attributes }) => ({ type, attributes }));
}

describe('layout', () => {
  const cached = input('cached', 'float32', ['slots', 'batch', 2, 4]);
  const heads = permute(cached, [1, 2, 0, 3]);

  it('joins before it permutes, if the first part is as it was fed', () => {
    const own = permute(input('own', 'float32', ['batch', 3, 2, 4]), [0, 2, 1, 3]);
    expect(nodesOf(concatenate([heads, own], 2))).toEqual([
      { type: 'Transpose', attributes: { perm: [1, 0, 2, 3] } },
      { type: 'Concat', attributes: { axis: 0 } },
      { type: 'Transpose', attributes: { perm: [1, 2, 0, 3] } },
    ]);
  });

  it('does not where parts are joined along another axis', () => {
    expect(nodesOf(concatenate([heads, heads], 1)).map(({ type }) => type)).toEqual(['Transpose', 'Concat']);
  });

  it('permutes once instead of twice, and reshapes not at all where that leads back', () => {
    expect(nodesOf(permute(heads, [2, 1, 0, 3]))).toEqual([{ type: 'Transpose', attributes: { perm: [0, 2, 1, 3] } }]);
    const x = input('x', 'float32', ['batch', 6]);
    expect(nodesOf(reshape(reshape(x, ['batch', 2, 3]), ['batch', 6]))).toEqual([]);
  });
});
