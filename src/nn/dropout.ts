// Dropout (section 5.4): each entry is zero with probability `rate`, else scaled up to keep the expectation.

import { keepMask, multiply, type Tensor } from '../tensor/index.ts';

export function dropout(x: Tensor, rate: number): Tensor {
  return rate === 0 ? x : multiply(x, keepMask(x.shape, rate));
}
