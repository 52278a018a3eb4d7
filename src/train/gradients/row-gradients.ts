// The gradient of an embedding has updates for a few rows, those of the batch's tokens. They are added here, after the run, since
// onnxruntime's ScatterElements takes several times as long, and its ScatterND loses additions (docs/log.md).

import { add, isA, operators, sameShape, type Tensor } from '../../tensor/index.ts';

interface RowGradient {
  /** int32, any shape: the row that each update belongs to. */
  readonly ids: Tensor;
  /** [ids' shape, …] */
  readonly updates: Tensor;
}

export interface SplitGradient {
  /** Undefined if there are only rows. */
  readonly rest: Tensor | undefined;
  readonly rows: readonly RowGradient[];
}

/** Splits a gradient into the rows that are scattered into it and the rest. */
export function splitRows(gradient: Tensor): SplitGradient {
  const terms = termsOf(gradient);
  const isScattered = (term: Tensor) => isA(term, operators.scatterAdd);
  const others = terms.filter((term) => !isScattered(term));
  return {
    rest: others.length === 0 ? undefined : others.reduce(add),
    rows: terms.filter(isScattered).map(({ inputs: [ids, updates] }) => ({ ids, updates })),
  };
}

/** Adds each update to the row of `sums` with its id, in order. */
export function addRows(sums: Float32Array, ids: ArrayLike<number>, updates: Float32Array): void {
  const width = updates.length / ids.length;
  for (let row = 0; row < ids.length; row++) {
    const start = ids[row] * width;
    for (let k = 0; k < width; k++) sums[start + k] += updates[row * width + k];
  }
}

/** The terms of a sum. */
function termsOf(tensor: Tensor): Tensor[] {
  const { inputs, shape } = tensor;
  const isSum = isA(tensor, operators.add) && inputs.every((input) => sameShape(input.shape, shape));
  return isSum ? inputs.flatMap(termsOf) : [tensor];
}
