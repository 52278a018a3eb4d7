// The numbers of the view: the JSON that it saves and that the standalone file contains.

import type { Kind } from './state.ts';

export interface AttentionData {
  readonly format: 'heed-attention';
  readonly version: 1;
  readonly model: string;
  readonly source: string;
  readonly target: string;
  readonly attention: Kind;
  /** From 1. */
  readonly layer: number;
  /** 1: the weights as the model computed them; else pᵢ^(1/τ) / Σⱼ pⱼ^(1/τ). */
  readonly temperature: number;
  /** The query tokens. */
  readonly rows: readonly string[];
  /** The key tokens. */
  readonly columns: readonly string[];
  readonly heads: readonly {
    /** From 1. */
    readonly head: number;
    /** Mean over the rows, bits. */
    readonly entropy: number;
    /** [rows][columns], 6 decimals. */
    readonly weights: readonly (readonly number[])[];
  }[];
}

export function rounded(values: readonly ArrayLike<number>[]): number[][] {
  return values.map((row) => Array.from(row, (weight) => Math.round(weight * 1e6) / 1e6));
}
