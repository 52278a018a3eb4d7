import { describe, expect, it } from 'vitest';
import { Random } from '../base/random.ts';
import { ParameterSet } from '../runtime/index.ts';
import { Adam } from './adam.ts';
import { paperAdam } from './adam-rule.ts';
import { startAdamThread } from './adam-thread.ts';

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
  it('has the paper’s options by default', () => {
    expect(paperAdam).toEqual({ beta1: 0.9, beta2: 0.98, epsilon: 1e-9 });
  });

  it.each([
    ['with the paper’s options', paperAdam],
    ['with others', { beta1: 0.5, beta2: 0.999, epsilon: 1e-3 }],
  ])('follows algorithm 1 %s', async (_, options) => {
    const random = Random.of(1);
    const set = new ParameterSet(shapes);
    for (let i = 0; i < set.size; i++) set.data[i] = random.normal();
    const start = [...set.data];
    const steps = Array.from({ length: 20 }, () => Array.from({ length: set.size }, () => random.normal()));
    const adam = new Adam(set, options);
    for (const [i, step] of steps.entries()) {
      await adam.update(i + 1, 0.01, [Float32Array.from(step.slice(0, 2)), Float32Array.from(step.slice(2))], 1);
    }
    start.forEach((theta, k) => {
      const ofThis = steps.map((step) => Math.fround(step[k]));
      expect(set.data[k]).toBeCloseTo(plainAdam(theta, ofThis, 0.01, options), 5);
    });
  });

  it('multiplies gradients by their scale, without changing them', async () => {
    const [scaled, plain] = [new ParameterSet([shapes[0]]), new ParameterSet([shapes[0]])];
    const gradient = Float32Array.of(4, -8);
    await new Adam(scaled, { ...paperAdam, epsilon: 1 }).update(1, 0.1, [gradient], 0.25);
    await new Adam(plain, { ...paperAdam, epsilon: 1 }).update(1, 0.1, [Float32Array.of(1, -2)], 1);
    expect(scaled.data).toEqual(plain.data);
    expect(gradient).toEqual(Float32Array.of(4, -8));
  });

  it('does not change a parameter with gradient 0, and gives no NaN', async () => {
    const set = new ParameterSet([shapes[0]]);
    set.data.set([1, 2]);
    await new Adam(set).update(1, 0.1, [Float32Array.of(0, 1)], 1);
    expect(set.data[0]).toBe(1);
    expect(set.data[1]).toBeCloseTo(1.9, 6);
  });

  it('has all its state in its moments', async () => {
    const gradientsOf = (step: number) => [Float32Array.of(Math.sin(step), step)];
    const [set, resumed] = [new ParameterSet([shapes[0]]), new ParameterSet([shapes[0]])];
    const [adam, other] = [new Adam(set), new Adam(resumed)];
    for (let step = 1; step <= 3; step++) await adam.update(step, 0.1, gradientsOf(step), 1);
    resumed.data.set(set.data);
    other.firstMoment.data.set(adam.firstMoment.data);
    other.secondMoment.data.set(adam.secondMoment.data);
    await adam.update(4, 0.1, gradientsOf(4), 1);
    await other.update(4, 0.1, gradientsOf(4), 1);
    expect(resumed.data).toEqual(set.data);
  });

  describe('Adam with a helper thread', () => {
    const large = [300_000, 1, 199_999, 200_000].map((length, i) => ({ name: `p${i}`, shape: [length] }));
    const gradientsOf = (step: number) =>
      large.map(({ shape }, i) => Float32Array.from({ length: shape[0] }, (_, k) => Math.sin(step + i + k)));

    async function train(startHelper?: typeof startAdamThread) {
      const set = new ParameterSet(large);
      set.data.fill(0.5);
      const adam = new Adam(set, paperAdam, startHelper);
      await adam.update(1, 0.1, gradientsOf(1), 1);
      // As if a saved state were loaded.
      set.data.fill(-0.25, 400_000);
      await adam.update(2, 0.1, gradientsOf(2), 0.5);
      await adam.release();
      await adam.update(3, 0.1, gradientsOf(3), 1);
      await adam.release();
      return [set, adam.firstMoment, adam.secondMoment].map(({ data }) => data);
    }

    it('gives the same bits', async () => {
      const [helped, alone] = [await train(startAdamThread), await train()];
      helped.forEach((array, i) => {
        expect(Buffer.compare(Buffer.from(array.buffer), Buffer.from(alone[i].buffer))).toBe(0);
      });
    });

    it('takes ownership of the gradients of its half', async () => {
      const adam = new Adam(new ParameterSet(large), paperAdam, startAdamThread);
      const gradients = gradientsOf(1);
      await adam.update(1, 0.1, gradients, 1);
      expect(gradients.map(({ length }) => length)).toEqual([300_000, 1, 0, 0]);
      await adam.release();
    });

    it('does not start a helper for a small model', async () => {
      const set = new ParameterSet(shapes);
      const adam = new Adam(set, paperAdam, () => {
        throw new Error('no helper is needed');
      });
      await adam.update(1, 0.1, [Float32Array.of(1, 1), Float32Array.of(1, 1, 1)], 1);
      expect(set.data.every((value) => value < 0)).toBe(true);
    });

    it('fails if the helper fails', async () => {
      const adam = new Adam(new ParameterSet(large), paperAdam, () => ({
        update: () => Promise.reject(new Error('the thread ended')),
        release: () => Promise.resolve(),
      }));
      await expect(adam.update(1, 0.1, gradientsOf(1), 1)).rejects.toThrow('the thread ended');
    });
  });
});
