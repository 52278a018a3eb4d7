// What lowering is told besides the tensors.

import type { QuantizedMatrix } from './quantization/matrix.ts';

export interface LowerOptions {
  /** Values of parameters by name. With them parameters become constants of the graph; without, they are inputs. */
  readonly weights?: ReadonlyMap<string, Float32Array>;
  /** Parameters whose products are computed with int8, by name; elsewhere their floats are used. */
  readonly quantized?: ReadonlyMap<string, QuantizedMatrix> | undefined;
  /** Whether a run has so few rows that calling operators costs more than computing them; default false. */
  readonly fewRows?: boolean;
  /**
   * Whether the engine has an operator, such as `Loop` or `com.microsoft:FusedMatMul`. Asked for what not every engine has: all
   * operators of the domain com.microsoft, and loops. Default: it has all of them.
   */
  readonly supports?: (operator: string) => boolean;
}

/** Whether the engine has an operator, as far as the options say. */
export function isSupported(operator: string, { supports }: LowerOptions): boolean {
  return supports === undefined || supports(operator);
}
