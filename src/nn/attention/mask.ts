// Section 3.2.3: who may look where. A mask is 1 where a query may look at a key, else 0.

import { constant, lessOrEqual, multiply, notEqual, range, type Tensor, unsqueeze } from '../../tensor/index.ts';

/** ids [B, S] → [B, 1, 1, S]: keys that are real tokens, the same for every head and query. */
export function paddingMask(ids: Tensor, padId: number): Tensor {
  return unsqueeze(unsqueeze(notEqual(ids, padId), 1), 1);
}

/** ids [B, T] → [T, T]: position t looks at positions up to t only, since later ones are not known yet. */
export function causalMask(ids: Tensor): Tensor {
  const keys = unsqueeze(range(ids, 1), 0); // [1, T]
  const queries = unsqueeze(range(ids, 1), 1); // [T, 1]
  return lessOrEqual(keys, queries);
}

/** Both masks at once: ids [B, T] → [B, 1, T, T] */
export function targetMask(ids: Tensor, padId: number): Tensor {
  return multiply(paddingMask(ids, padId), causalMask(ids));
}

/** Lets each of T positions look at itself only: [1, 1, T, T] */
export function identityMask(length: number): Tensor {
  const ones = Array.from({ length: length * length }, (_, i) => (i % (length + 1) === 0 ? 1 : 0));
  return constant([1, 1, length, length], ones);
}
