// Section 3.2.1: scaled dot-product attention.
// B batch, T queries, S keys, H heads, K and V widths of a head's keys and values.

import {
  add,
  addScalar,
  concatenate,
  dimension,
  matmul,
  multiply,
  scale,
  softmax,
  type Tensor,
  transpose,
} from '../../tensor/index.ts';
import { dropout } from '../dropout.ts';
import type { Scope } from '../scope.ts';

/** Finite, so that a fully masked row gives no NaN; exp of it is 0 beside any real score. */
const MASKED_SCORE = -1e9;

/** Keys and values of a sequence, one set for each head. */
export interface KeysAndValues {
  /** [B, H, S, K] */
  readonly keys: Tensor;
  /** [B, H, S, V] */
  readonly values: Tensor;
}

export interface AttentionOptions {
  /** Names the results that a trace shows: scores, weights, heads. */
  readonly scope: Scope;
  /** 1 where a query may attend to a key, else 0; broadcasts to [B, H, T, S]. Default: all ones. */
  readonly mask?: Tensor | undefined;
  /** Added to the scores before they are masked, such as a position bias; broadcasts to [B, H, T, S]. Default: none. */
  readonly bias?: Tensor | undefined;
  /** Whether all keys of a query may be masked; its weights are then zeros. Default true. */
  readonly hasFullyMaskedRows?: boolean | undefined;
  /** Dropout of the weights; default 0. */
  readonly dropout?: number;
}

/** Attention(Q, K, V) = softmax(Q Kᵀ / √K) V: queries [B, H, T, K] → [B, H, T, V] */
export function scaledDotProductAttention(
  queries: Tensor,
  { keys, values }: KeysAndValues,
  { scope, mask, bias, hasFullyMaskedRows = true, dropout: rate = 0 }: AttentionOptions,
): Tensor {
  const scores = scope.result('scores', biased(scaledScores(queries, keys), bias)); // [B, H, T, S]
  const maskedScores = scope.result('maskedScores', masked(scores, mask));
  const all = softmax(maskedScores);
  // A fully masked row has equal scores everywhere; multiplied by the mask, its weights are zeros.
  const weights = scope.result('weights', mask !== undefined && hasFullyMaskedRows ? multiply(all, mask) : all);
  return scope.result('heads', matmul(dropout(weights, rate), values)); // [B, H, T, V]
}

/** Q Kᵀ / √K: [B, H, T, K] and [B, H, S, K] → [B, H, T, S] */
function scaledScores(queries: Tensor, keys: Tensor): Tensor {
  const dKey = Number(dimension(queries, -1));
  return scale(matmul(queries, transpose(keys)), 1 / Math.sqrt(dKey));
}

function biased(scores: Tensor, bias: Tensor | undefined): Tensor {
  return bias === undefined ? scores : add(scores, bias);
}

/** Lowers the scores of masked keys so far that softmax gives them 0. */
function masked(scores: Tensor, mask: Tensor | undefined): Tensor {
  if (mask === undefined) return scores;
  const penalty = scale(addScalar(mask, -1), -MASKED_SCORE); // 0 or −1e9
  return add(scores, penalty);
}

/** Concatenates keys and values of P earlier and S present positions: [B, H, P + S, K] and [B, H, P + S, V] */
export function concatenateKeysAndValues(past: KeysAndValues, present: KeysAndValues): KeysAndValues {
  return { keys: concatenate([past.keys, present.keys], 2), values: concatenate([past.values, present.values], 2) };
}
