import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NumpyRandom } from './numpy-random.ts';

interface Golden {
  streams: { seed: number; below3003: number[]; below2147495993: number[]; booleans: number[] }[];
}

const golden = JSON.parse(
  readFileSync(new URL('../../test/golden/metrics-random.json', import.meta.url), 'utf8'),
) as Golden;

describe("NumpyRandom draws numpy's numbers", () => {
  for (const { seed, ...draws } of golden.streams) {
    it(`from seed ${seed}`, () => {
      for (const [bound, expected] of [
        [3003, draws.below3003],
        [2147495993, draws.below2147495993],
      ] as const) {
        const random = new NumpyRandom(seed);
        expect(expected.map(() => random.integer(bound))).toEqual(expected);
      }
      const coins = new NumpyRandom(seed).booleans();
      expect(draws.booleans.map(() => Number(coins.next().value))).toEqual(draws.booleans);
    });
  }
  it('draws nothing where there is no choice', () => {
    const random = new NumpyRandom(12345);
    expect(random.integer(1)).toBe(0);
    expect(random.integer(3003)).toBe(new NumpyRandom(12345).integer(3003));
  });
});
