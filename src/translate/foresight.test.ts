import { describe, expect, it } from 'vitest';
import type { StepRequest } from '../decode/index.ts';
import { Foresight } from './foresight.ts';

const request = (token: number, top = 3): StepRequest => ({
  sentences: Int32Array.of(0),
  width: 1,
  tokens: Int32Array.of(token),
  parents: Int32Array.of(0),
  top,
});

const threeRounds = () =>
  new Foresight(
    {
      nextToken: { shape: [3, 1, 1], data: Int32Array.of(5, 7, 9) },
      ownKeys: { shape: [3, 1, 2], data: Float32Array.of(1, 2, 3, 4, 5, 6) },
    },
    3,
  );

describe('Foresight', () => {
  it('answers each request that follows from the round before, until there are no more', () => {
    const steps = threeRounds();
    expect(steps.first.ownKeys).toEqual({ shape: [1, 2], data: Float32Array.of(1, 2) });
    expect(steps.take(request(5))?.ownKeys.data).toEqual(Float32Array.of(3, 4));
    expect(steps.take(request(7))?.ownKeys.data).toEqual(Float32Array.of(5, 6));
    expect(steps.take(request(9))).toBeUndefined();
  });

  it('does not answer a request with another token, or for more or fewer candidates', () => {
    expect(threeRounds().take(request(6))).toBeUndefined();
    expect(threeRounds().take(request(5, 4))).toBeUndefined();
  });
});
