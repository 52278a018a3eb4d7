// Averaging the last checkpoints of a training run (section 6.1: the last 5 for base, 20 for big).

import { HeedError } from '../base/error.ts';
import type { Parameter, ParameterSet } from '../runtime/index.ts';

/**
 * The mean of each learned value, summed in float64. Tied matrices are stored once, hence averaged once.
 * @throws HeedError if there is nothing to average, or the sets are of different architectures
 */
export function averageParameters(sets: readonly ParameterSet[]): ParameterSet {
  if (sets.length === 0) throw new HeedError('average', 'needs at least one set of parameters, got none.');
  const [first, ...others] = sets;
  others.forEach((other, i) => {
    checkAlike(first, other, i + 2);
  });
  const average = first.zeros();
  average.parameters.forEach(({ data }, index) => {
    const sums = new Float64Array(data.length);
    for (const { parameters } of sets) {
      const values = parameters[index].data;
      for (let i = 0; i < sums.length; i++) sums[i] += values[i];
    }
    for (let i = 0; i < sums.length; i++) data[i] = sums[i] / sets.length;
  });
  return average;
}

function checkAlike(first: ParameterSet, other: ParameterSet, number: number): void {
  const count = Math.max(first.parameters.length, other.parameters.length);
  for (let i = 0; i < count; i++) {
    const expected = describe(first.parameters[i]);
    const got = describe(other.parameters[i]);
    if (expected === got) continue;
    const rule = 'only models of one architecture can be averaged';
    throw new HeedError('average', `${rule}: number 1 has ${expected} where number ${number} has ${got}.`);
  }
}

function describe(parameter: Parameter | undefined): string {
  return parameter === undefined ? 'no more parameters' : `${parameter.name} [${parameter.shape.join(', ')}]`;
}
