import { describe, expect, it } from 'vitest';
import { value } from '../../../test/leaves.ts';
import { evaluate, input, type Tensor } from '../../tensor/index.ts';
import { causalMask, paddingMask, targetMask } from './mask.ts';

const ids = input('ids', 'int32', ['batch', 'time']);
const PAD = 9;

function maskOf(tensor: Tensor) {
  const rows = value([
    [4, 5, PAD],
    [PAD, 0, 2],
  ]);
  const [{ shape, data }] = evaluate([tensor], new Map([[ids, rows]]));
  return { shape, entries: [...data] };
}

describe('masks', () => {
  it('exclude padding', () => {
    expect(maskOf(paddingMask(ids, PAD))).toEqual({ shape: [2, 1, 1, 3], entries: [1, 1, 0, 0, 1, 1] });
  });

  it('are causal: a query sees keys up to its own position', () => {
    expect(maskOf(causalMask(ids))).toEqual({ shape: [3, 3], entries: [1, 0, 0, 1, 1, 0, 1, 1, 1] });
  });

  it('of a target combine both', () => {
    expect(maskOf(targetMask(ids, PAD))).toEqual({
      shape: [2, 1, 3, 3],
      entries: [1, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1],
    });
  });
});
