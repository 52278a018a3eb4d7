import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bestPossibleScore,
  coveragePenalty,
  type LengthPenalty,
  lengthPenalty,
  parseLengthPenalty,
} from './penalty.ts';

describe('lengthPenalty', () => {
  it('has the values that GNMT gives for alpha 0.6', () => {
    const values = [1, 2, 10, 50].map((n) => lengthPenalty({ kind: 'gnmt', alpha: 0.6 }, n).toFixed(4));
    expect(values).toEqual(['1.0000', '1.0969', '1.7329', '3.7786']);
  });
  it('supports average and none', () => {
    expect(lengthPenalty({ kind: 'average', power: 1 }, 7)).toBe(7);
    expect(lengthPenalty({ kind: 'average', power: 0.5 }, 9)).toBe(3);
    expect(lengthPenalty({ kind: 'none' }, 7)).toBe(1);
    expect(lengthPenalty({ kind: 'gnmt', alpha: 0 }, 7)).toBe(1);
  });
});

describe('bestPossibleScore', () => {
  it('is an upper bound, reached at one of the two lengths', () => {
    const exponent = fc.double({ min: -2, max: 2, noNaN: true });
    const penalty = fc.oneof(
      exponent.map((alpha): LengthPenalty => ({ kind: 'gnmt', alpha })),
      exponent.map((power): LengthPenalty => ({ kind: 'average', power })),
    );
    const total = fc.double({ min: -100, max: 0, noNaN: true });
    fc.assert(
      fc.property(penalty, total, fc.integer({ min: 1, max: 20 }), fc.nat(20), (penalty, total, shortest, more) => {
        const lengths = { shortest, longest: shortest + more };
        const bound = bestPossibleScore(penalty, total, lengths);
        const scores = Array.from({ length: more + 1 }, (_, i) => total / lengthPenalty(penalty, shortest + i));
        for (const score of scores) expect(score).toBeLessThanOrEqual(bound + 1e-9);
        expect(Math.max(scores[0], scores[more])).toBeCloseTo(bound, 9);
      }),
    );
  });
});

describe('coveragePenalty', () => {
  const rows = [Float32Array.of(0.5, 0.5, 0), Float32Array.of(0.75, 0.25, 0)];
  it('sums the logarithms of each source position’s total attention, at most 1', () => {
    expect(coveragePenalty(0.2, rows, 2)).toBeCloseTo(0.2 * (Math.log(1) + Math.log(0.75)), 6);
  });
  it('is finite for a position without attention', () => {
    expect(coveragePenalty(1, rows, 3)).toBeCloseTo(Math.log(0.75) + Math.log(1e-9), 6);
    expect(coveragePenalty(1, [], 1)).toBeCloseTo(Math.log(1e-9), 6);
  });
});

describe('parseLengthPenalty', () => {
  it.each([
    ['gnmt', { kind: 'gnmt', alpha: 0.6 }],
    ['gnmt:1', { kind: 'gnmt', alpha: 1 }],
    ['gnmt:-0.5', { kind: 'gnmt', alpha: -0.5 }],
    ['average', { kind: 'average', power: 1 }],
    ['average:1.5', { kind: 'average', power: 1.5 }],
    ['none', { kind: 'none' }],
  ])('reads %s', (text, penalty) => {
    expect(parseLengthPenalty(text)).toEqual(penalty);
  });
  it.each(['', 'gmnt', 'gnmt:', 'gnmt:x', 'gnmt:0.6:1', 'none:1', 'average:Infinity'])('refuses "%s"', (text) => {
    expect(() => parseLengthPenalty(text)).toThrow(
      `decode: lengthPenalty must be gnmt:ALPHA (such as gnmt:0.6), average:POWER or none, got ${text}.`,
    );
  });
});
