import { describe, expect, it } from 'vitest';
import { concatenate, input, matmul, permute, reshape, scale, type Tensor, transpose } from '../../tensor/index.ts';
import { lower } from '../lower.ts';

/** What is written, without the names of outputs. */
function nodesOf(output: Tensor) {
  const { nodes } = lower({ output }).graph;
  return nodes.filter(({ type }) => type !== 'Identity').map(({ type, attributes }) => ({ type, attributes }));
}

const fused = (attributes: object) => ({ type: 'com.microsoft:FusedMatMul', attributes });

describe('batches of products', () => {
  const queries = input('queries', 'float32', ['batch', 2, 'n', 4]);
  const keys = input('keys', 'float32', ['batch', 2, 's', 4]);

  it('take transposition and scale on', () => {
    expect(nodesOf(scale(matmul(queries, transpose(keys)), 0.5))).toEqual([
      fused({ transA: 0, transB: 1, alpha: { float: 0.5 } }),
    ]);
  });

  it('take on the scale of a factor, transposed or not, so that opposite ones cancel out', () => {
    const plain = fused({ transA: 0, transB: 1, alpha: { float: 1 } });
    expect(nodesOf(scale(matmul(queries, transpose(scale(keys, 2))), 0.5))).toEqual([plain]);
    expect(nodesOf(scale(matmul(queries, scale(transpose(keys), 2)), 0.5))).toEqual([plain]);
    expect(nodesOf(matmul(scale(queries, 3), transpose(scale(keys, 2))))).toEqual([
      fused({ transA: 0, transB: 1, alpha: { float: 6 } }),
    ]);
  });

  it('are left to the engine where nothing is to be taken on, and single matrices always', () => {
    const turned = input('turned', 'float32', ['batch', 2, 4, 's']);
    expect(nodesOf(matmul(queries, turned)).map(({ type }) => type)).toEqual(['MatMul']);
    const [a, b] = ['a', 'b'].map((name) => input(name, 'float32', [3, 4]));
    expect(nodesOf(matmul(a, transpose(b))).map(({ type }) => type)).toEqual(['Transpose', 'MatMul']);
  });
});

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
