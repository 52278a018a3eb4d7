// Section 3.2: scaled dot-product attention, and many heads of it.
// B batch, T queries, S keys, D model width, H heads, K and V widths of a head's keys and values.

import {
  add,
  addScalar,
  concatenate,
  dimension,
  matmul,
  multiply,
  permute,
  reshape,
  scale,
  softmax,
  type Tensor,
  transpose,
} from '../tensor/index.ts';
import type { TransformerConfig } from './config.ts';
import { dropout } from './dropout.ts';
import { Linear } from './linear.ts';
import { rotate } from './positions.ts';
import type { Scope } from './scope.ts';

/** Finite, so that a row with every key masked stays free of NaN; exp of it is 0 beside any real score. */
const MASKED_SCORE = -1e9;

/** What a sequence offers to be looked at, head by head. */
export interface KeysAndValues {
  /** [B, H, S, K] */
  readonly keys: Tensor;
  /** [B, H, S, V] */
  readonly values: Tensor;
}

export interface AttentionOptions {
  /** Names what is worth seeing: scores, weights, heads. */
  readonly scope: Scope;
  /** 1 where a query may look at a key, else 0; stretches to [B, H, T, S]. Default: at all of them. */
  readonly mask?: Tensor | undefined;
  /** Whether there may be queries that may look at nothing; their weights are zeros then. Default true. */
  readonly mayBeBlind?: boolean | undefined;
  /** Dropout of the weights; default 0. */
  readonly dropout?: number;
}

/** Attention(Q, K, V) = softmax(Q Kᵀ / √K) V: queries [B, H, T, K] → [B, H, T, V] */
export function scaledDotProductAttention(
  queries: Tensor,
  { keys, values }: KeysAndValues,
  { scope, mask, mayBeBlind = true, dropout: rate = 0 }: AttentionOptions,
): Tensor {
  const scores = scope.result('scores', scaledScores(queries, keys)); // [B, H, T, S]
  const maskedScores = scope.result('maskedScores', masked(scores, mask));
  const all = softmax(maskedScores);
  // A row that may look at nothing has equal scores everywhere: times the mask, its weights are zeros.
  const weights = scope.result('weights', mask !== undefined && mayBeBlind ? multiply(all, mask) : all);
  return scope.result('heads', matmul(dropout(weights, rate), values)); // [B, H, T, V]
}

/** Q Kᵀ / √K: [B, H, T, K] and [B, H, S, K] → [B, H, T, S] */
function scaledScores(queries: Tensor, keys: Tensor): Tensor {
  const dKey = Number(dimension(queries, -1));
  return scale(matmul(queries, transpose(keys)), 1 / Math.sqrt(dKey));
}

/** Scores of forbidden keys lowered so far that softmax gives them 0. */
function masked(scores: Tensor, mask: Tensor | undefined): Tensor {
  if (mask === undefined) return scores;
  const penalty = scale(addScalar(mask, -1), -MASKED_SCORE); // 0 or −1e9
  return add(scores, penalty);
}

/** Keys and values of P positions before those of S others: [B, H, P + S, K] and [B, H, P + S, V] */
export function joined(past: KeysAndValues, own: KeysAndValues): KeysAndValues {
  return { keys: concatenate([past.keys, own.keys], 2), values: concatenate([past.values, own.values], 2) };
}

export interface AttendOptions extends Pick<AttentionOptions, 'mask' | 'mayBeBlind'> {
  /** In decoding: P keys and values of earlier positions, which come before those given; a mask is of both then. */
  readonly past?: KeysAndValues | undefined;
  /** Positions [T] of the queries; they matter to rotary positions only. */
  readonly positions?: Tensor;
}

/** MultiHead(Q, K, V) = Concat(head₁ … head_h) W^O, head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V) */
export class MultiHeadAttention {
  private readonly query: Linear;
  private readonly key: Linear;
  private readonly value: Linear;
  private readonly output: Linear;

  constructor(
    private readonly scope: Scope,
    private readonly config: TransformerConfig,
  ) {
    const { dModel, heads, dKey, dValue, attentionBias: bias } = config;
    this.query = new Linear(scope.child('query'), { from: dModel, to: heads * dKey, bias });
    this.key = new Linear(scope.child('key'), { from: dModel, to: heads * dKey, bias });
    this.value = new Linear(scope.child('value'), { from: dModel, to: heads * dValue, bias });
    this.output = new Linear(scope.child('output'), { from: heads * dValue, to: dModel, bias });
  }

  /** source [B, S, D] → keys [B, H, S, K], values [B, H, S, V]. Positions [S] as for the queries. */
  keysAndValues(source: Tensor, positions?: Tensor): KeysAndValues {
    const { dKey, dValue } = this.config;
    const keys = this.rotated(this.splitHeads(this.key.apply(source), dKey), positions);
    const values = this.splitHeads(this.value.apply(source), dValue);
    return { keys: this.scope.result('keys', keys), values: this.scope.result('values', values) };
  }

  /** x [B, T, D] looks at keys and values → [B, T, D] */
  attend(x: Tensor, memory: KeysAndValues, { past, positions, mask, mayBeBlind }: AttendOptions = {}): Tensor {
    const { scope, config } = this;
    const split = this.splitHeads(this.query.apply(x), config.dKey);
    const queries = scope.result('queries', this.rotated(split, positions));
    const all = past === undefined ? memory : joined(past, memory);
    const options = { scope, mask, mayBeBlind, dropout: config.attentionDropout };
    const heads = scaledDotProductAttention(queries, all, options);
    return scope.result('output', this.output.apply(this.joinHeads(heads)));
  }

  /** [B, T, H·K] → [B, H, T, K] */
  private splitHeads(x: Tensor, width: number): Tensor {
    const [batch, length] = x.shape;
    return permute(reshape(x, [batch, length, this.config.heads, width]), [0, 2, 1, 3]);
  }

  /** [B, H, T, V] → [B, T, H·V] */
  private joinHeads(x: Tensor): Tensor {
    const [batch, heads, length, width] = x.shape;
    return reshape(permute(x, [0, 2, 1, 3]), [batch, length, Number(heads) * Number(width)]);
  }

  private rotated(x: Tensor, positions: Tensor | undefined): Tensor {
    return this.config.positions === 'rotary' && positions !== undefined ? rotate(x, positions) : x;
  }
}
