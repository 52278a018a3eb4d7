import { describe, expect, it } from 'vitest';
import { Random } from '../base/random.ts';
import { ParameterSet } from '../runtime/index.ts';
import { Adam, paperAdam } from './adam.ts';

const shapes = [
  { name: 'a', shape: [2] },
  { name: 'b', shape: [3] },
];

/** The update as Kingma and Ba print it (algorithm 1), for one number. */
function plainAdam(
  start: number,
  gradients: readonly number[],
  rate: number,
  { beta1, beta2, epsilon } = paperAdam,
): number {
  let [theta, m, v] = [start, 0, 0];
  gradients.forEach((g, i) => {
    m = beta1 * m + (1 - beta1) * g;
    v = beta2 * v + (1 - beta2) * g * g;
    const corrected = [m / (1 - beta1 ** (i + 1)), v / (1 - beta2 ** (i + 1))];
    theta -= (rate * corrected[0]) / (Math.sqrt(corrected[1]) + epsilon);
  });
  return theta;
}

describe('Adam', () => {
  it('is the paper’s by default', () => {
    expect(paperAdam).toEqual({ beta1: 0.9, beta2: 0.98, epsilon: 1e-9 });
  });

  it.each([
    ['with the paper’s options', paperAdam],
    ['with others', { beta1: 0.5, beta2: 0.999, epsilon: 1e-3 }],
  ])('follows algorithm 1 %s', (_, options) => {
    const random = Random.of(1);
    const set = new ParameterSet(shapes);
    for (let i = 0; i < set.size; i++) set.data[i] = random.normal();
    const start = [...set.data];
    const steps = Array.from({ length: 20 }, () => Array.from({ length: set.size }, () => random.normal()));
    const adam = new Adam(set, options);
    steps.forEach((step, i) => {
      adam.update(i + 1, 0.01, [Float32Array.from(step.slice(0, 2)), Float32Array.from(step.slice(2))], 1);
    });
    start.forEach((theta, k) => {
      const ofThis = steps.map((step) => Math.fround(step[k]));
      expect(set.data[k]).toBeCloseTo(plainAdam(theta, ofThis, 0.01, options), 5);
    });
  });

  it('multiplies gradients by their scale, without changing them', () => {
    const [scaled, plain] = [new ParameterSet([shapes[0]]), new ParameterSet([shapes[0]])];
    const gradient = Float32Array.of(4, -8);
    new Adam(scaled, { ...paperAdam, epsilon: 1 }).update(1, 0.1, [gradient], 0.25);
    new Adam(plain, { ...paperAdam, epsilon: 1 }).update(1, 0.1, [Float32Array.of(1, -2)], 1);
    expect(scaled.data).toEqual(plain.data);
    expect(gradient).toEqual(Float32Array.of(4, -8));
  });

  it('leaves a parameter alone whose gradient is 0, and gives no NaN', () => {
    const set = new ParameterSet([shapes[0]]);
    set.data.set([1, 2]);
    new Adam(set).update(1, 0.1, [Float32Array.of(0, 1)], 1);
    expect(set.data[0]).toBe(1);
    expect(set.data[1]).toBeCloseTo(1.9, 6);
  });

  it('has all its state in its moments', () => {
    const gradientsOf = (step: number) => [Float32Array.of(Math.sin(step), step)];
    const [set, resumed] = [new ParameterSet([shapes[0]]), new ParameterSet([shapes[0]])];
    const [adam, other] = [new Adam(set), new Adam(resumed)];
    for (let step = 1; step <= 3; step++) adam.update(step, 0.1, gradientsOf(step), 1);
    resumed.data.set(set.data);
    other.firstMoment.data.set(adam.firstMoment.data);
    other.secondMoment.data.set(adam.secondMoment.data);
    adam.update(4, 0.1, gradientsOf(4), 1);
    other.update(4, 0.1, gradientsOf(4), 1);
    expect(resumed.data).toEqual(set.data);
  });
});
