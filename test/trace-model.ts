// What the tests of traces share: models, and ways to look into a trace.

import { expect } from 'vitest';
import type { TransformerConfig } from '../src/architectures/index.ts';
import { compile } from '../src/runtime/node/index.ts';
import { arrayValues, type Trace, type TraceTensor, Translator } from '../src/translate/index.ts';
import { wordyModel } from './wordy-model.ts';

export const setup = { compile, threads: 1 };
export const architectures: Record<string, Partial<TransformerConfig>> = {
  paper: { positions: 'interleaved', embeddings: 'tied' },
  'pre-norm, learned positions': { norm: 'pre' },
  'rotary, SwiGLU, other widths': { positions: 'rotary', activation: 'swiglu', dKey: 6, dValue: 5 },
  'no positions, GELU, no biases': {
    positions: 'none',
    activation: 'gelu',
    attentionBias: false,
    embeddings: 'target',
  },
};
export const model = wordyModel({ architecture: architectures.paper });
export const translator = new Translator(model, setup);
export const [source, translation] = ['the cat sat', 'the dog ran to Köln'];

export function tensorOf(trace: Trace, name: string): TraceTensor {
  const tensor = trace.tensors?.find((other) => other.name === name);
  if (tensor === undefined) throw new Error(`the trace has no ${name}`);
  return tensor;
}

/** The mean of the heads of [heads, rows, columns], row by row. */
export function meanOfHeads({
  shape: [heads, rows, columns],
  ...array
}: Trace['attention']['cross'][number]): number[][] {
  const values = arrayValues({ shape: [heads, rows, columns], ...array });
  return Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => {
      let sum = 0;
      for (let head = 0; head < heads; head++) sum += values[(head * rows + i) * columns + j];
      return sum / heads;
    }),
  );
}

/** Relative to the largest entry: float32 against float64. */
export function expectClose(got: ArrayLike<number>, expected: ArrayLike<number>, what: string): void {
  expect(got.length, what).toBe(expected.length);
  const largest = Array.from(expected).reduce((most, value) => Math.max(most, Math.abs(value)), 1e-3);
  const worst = Array.from(expected).reduce((most, value, i) => Math.max(most, Math.abs(value - got[i])), 0);
  expect(worst / largest, what).toBeLessThan(2e-5);
}

/** Every named result of a pass, in float64. */
