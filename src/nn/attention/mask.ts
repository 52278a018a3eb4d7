// Section 3.2.3: attention masks. A mask is 1 where a query may attend to a key, else 0.

import { constant, lessOrEqual, multiply, notEqual, range, type Tensor, unsqueeze } from '../../tensor/index.ts';

/** ids [B, S] → [B, 1, 1, S]: 1 for keys that are not padding, the same for every head and query. */
export function paddingMask(ids: Tensor, padId: number): Tensor {
  return unsqueeze(unsqueeze(notEqual(ids, padId), 1), 1);
}

/** ids [B, T] → [T, T]: position t attends to positions up to t only (causal). */
export function causalMask(ids: Tensor): Tensor {
  const keys = unsqueeze(range(ids, 1), 0); // [1, T]
  const queries = unsqueeze(range(ids, 1), 1); // [T, 1]
  return lessOrEqual(keys, queries);
}

/** Both masks at once: ids [B, T] → [B, 1, T, T] */
export function targetMask(ids: Tensor, padId: number): Tensor {
  return multiply(paddingMask(ids, padId), causalMask(ids));
}

/** Each of T positions attends to itself only: [1, 1, T, T] */
export function identityMask(length: number): Tensor {
  const ones = Array.from({ length: length * length }, (_, i) => (i % (length + 1) === 0 ? 1 : 0));
  return constant([1, 1, length, length], ones);
}
