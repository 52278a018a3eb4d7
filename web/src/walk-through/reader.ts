// The intermediate results of a trace by name, as rows of numbers.

import type { Trace, TraceTensor } from '../../../src/translate/index.ts';
import { rowsOf } from '../inspect/arrays.ts';

export class TensorReader {
  private readonly tensors: ReadonlyMap<string, TraceTensor>;

  constructor(trace: Trace) {
    this.tensors = new Map(trace.tensors?.map((tensor) => [tensor.name, tensor]));
  }

  has(name: string): boolean {
    return this.tensors.has(name);
  }

  /** The rows of [rows, width], or of one head of [heads, rows, width]. */
  rows(name: string, head = 0): Float32Array[] {
    const tensor = this.tensors.get(name);
    if (tensor === undefined) throw new Error(`The trace has no ${name}.`);
    return rowsOf(tensor, head);
  }

  /** [heads, rows, width] → [rows, heads · width]: the heads concatenated (section 3.2.2). */
  joined(name: string, heads: number): Float32Array[] {
    const byHead = Array.from({ length: heads }, (_, head) => this.rows(name, head));
    return byHead[0].map((_, row) => Float32Array.from(byHead.flatMap((rows) => Array.from(rows[row]))));
  }

  /** The residual input of a sub-layer: x = sum − output, since the trace contains sum = x + output. */
  around(sublayer: string): Float32Array[] {
    const output = this.rows(`${sublayer}.output`);
    return this.rows(`${sublayer}.sum`).map((row, i) => row.map((value, k) => value - output[i][k]));
  }

  /** The input of a sub-layer: LayerNorm(x) with pre-norm, else x itself. */
  seenBy(sublayer: string): Float32Array[] {
    const input = `${sublayer}.input`;
    return this.has(input) ? this.rows(input) : this.around(sublayer);
  }
}
