// What the fusions of attention share: patterns of rows split into heads and put together again, of the present behind the past,
// and the attributes of the engine's attention operators. H heads of width K, W rows.

import { isA, operators, type Tensor } from '../../tensor/index.ts';
import { any, concatenate, match, type Pattern, permute, view } from '../pattern.ts';
import { unshaped } from './layout.ts';

/** Keys or values of the step, [1, H, W, K], behind those of P positions before, [1, H, P, K]. */
export const pastAndPresent = concatenate([any('past'), any('present')], 2);

export interface PastAndPresent {
  readonly past: Tensor;
  readonly present: Tensor;
}

/** Whether a tensor is the concatenation of this past and present. */
export function isOf({ past, present }: PastAndPresent, tensor: Tensor | undefined): boolean {
  const found = match(pastAndPresent, tensor);
  return found !== undefined && found.past === past && found.present === present;
}

/** Heads of one sentence side by side: [1, H, W, K] → [1, W, H·K] */
export function concatenatedHeads<P>(heads: Pattern<P>): Pattern<P> {
  return view(
    (x) => (isA(x, operators.reshape) && x.shape.length === 3 ? unshaped(x) : undefined),
    exchanged(view((x) => (x.shape.length === 4 && x.shape[0] === 1 ? x : undefined), heads)),
  );
}

/** Rows of one sentence split into heads: [1, W, H·K] → [1, H, W, K] */
export function splitHeads<P>(rows: Pattern<P>): Pattern<P> {
  return exchanged(view(unshaped, rows));
}

/** Axes 1 and 2 exchanged: [1, a, b, c] → [1, b, a, c]. If one of them has size 1, that moves nothing and is left out. */
function exchanged<P>(x: Pattern<P>): Pattern<P> {
  const permuted = permute(x, [0, 2, 1, 3]);
  return (tensor, found) => {
    const movesNothing = tensor.shape[1] === 1 || tensor.shape[2] === 1;
    return permuted(tensor, found) ?? (movesNothing ? x(tensor, found) : undefined);
  };
}

/** Attributes of an attention operator for heads like these, [1, H, W, K]. @param factor what scores are multiplied by */
export function attributesOf({ shape: [, heads] }: Tensor, factor: number) {
  return { num_heads: Number(heads), scale: { float: factor } };
}
