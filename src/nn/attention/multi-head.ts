// Section 3.2.2: multi-head attention.
// B batch, T queries, S keys, D model width, H heads, K and V widths of a head's keys and values.

import { permute, reshape, type Tensor } from '../../tensor/index.ts';
import type { LayerConfig } from '../layer-config.ts';
import { Linear } from '../linear.ts';
import type { Positions } from '../positions/scheme.ts';
import type { Scope } from '../scope.ts';
import {
  type AttentionOptions,
  concatenateKeysAndValues,
  type KeysAndValues,
  scaledDotProductAttention,
} from './scaled-dot-product.ts';

export interface AttendOptions extends Pick<AttentionOptions, 'mask' | 'hasFullyMaskedRows'> {
  /** In decoding: keys and values of P earlier positions, put before the given ones. A mask then covers both. */
  readonly past?: KeysAndValues | undefined;
  /** Positions [T] of the queries, for position schemes that act within attention. */
  readonly at?: Tensor;
  /** Positions of all keys, including those of `past`; default: those of the queries. */
  readonly keysAt?: Tensor | undefined;
}

/** MultiHead(Q, K, V) = Concat(head₁ … head_h) W^O, head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V) */
export class MultiHeadAttention {
  private readonly query: Linear;
  private readonly key: Linear;
  private readonly value: Linear;
  private readonly output: Linear;

  /** @param positions of the stack, if queries and keys are of one sequence; default: attention uses no positions */
  constructor(
    private readonly scope: Scope,
    private readonly config: LayerConfig,
    private readonly positions: Positions = {},
  ) {
    const { dModel, heads, dKey, dValue, attentionBias: bias } = config;
    this.query = new Linear(scope.child('query'), { from: dModel, to: heads * dKey, bias });
    this.key = new Linear(scope.child('key'), { from: dModel, to: heads * dKey, bias });
    this.value = new Linear(scope.child('value'), { from: dModel, to: heads * dValue, bias });
    this.output = new Linear(scope.child('output'), { from: heads * dValue, to: dModel, bias });
  }

  /** source [B, S, D] at positions [S] → keys [B, H, S, K], values [B, H, S, V] */
  keysAndValues(source: Tensor, at?: Tensor): KeysAndValues {
    const { dKey, dValue } = this.config;
    const keys = this.rotated(this.splitHeads(this.key.apply(source), dKey), at);
    const values = this.splitHeads(this.value.apply(source), dValue);
    return { keys: this.scope.result('keys', keys), values: this.scope.result('values', values) };
  }

  /** x [B, T, D] attends to keys and values → [B, T, D] */
  attend(x: Tensor, present: KeysAndValues, options: AttendOptions = {}): Tensor {
    const { scope, config } = this;
    const { past, at, keysAt = at, mask, hasFullyMaskedRows } = options;
    const split = this.splitHeads(this.query.apply(x), config.dKey);
    const queries = scope.result('queries', this.rotated(split, at));
    const all = past === undefined ? present : concatenateKeysAndValues(past, present);
    const bias = at && keysAt && this.positions.bias?.(at, keysAt);
    const heads = scaledDotProductAttention(queries, all, {
      scope,
      mask,
      bias,
      hasFullyMaskedRows,
      dropout: config.attentionDropout,
    });
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

  private rotated(x: Tensor, at: Tensor | undefined): Tensor {
    return at === undefined ? x : (this.positions.rotate?.(x, at) ?? x);
  }
}
