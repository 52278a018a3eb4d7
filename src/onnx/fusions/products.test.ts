import { describe, expect, it } from 'vitest';
import { input, matmul, scale, type Tensor, transpose } from '../../tensor/index.ts';
import { lower } from '../lower.ts';
import type { LowerOptions } from '../options.ts';

/** What is written, without the names of outputs. */
function nodesOf(output: Tensor, options: LowerOptions = {}) {
  const { nodes } = lower({ output }, options).graph;
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

  it('are products, transpositions and scales where the engine does not have them in one', () => {
    const scores = scale(matmul(queries, transpose(keys)), 0.5);
    const types = nodesOf(scores, { supports: () => false }).map(({ type }) => type);
    expect(types).toEqual(['Transpose', 'MatMul', 'Mul']);
  });
});
