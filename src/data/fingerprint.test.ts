import { describe, expect, it } from 'vitest';
import { pairFingerprint } from './fingerprint.ts';

describe('pairFingerprint', () => {
  it('is the same for equal pairs and distinguishes the sides', () => {
    const pair = { source: 'ab', target: 'c' };
    expect(pairFingerprint({ ...pair })).toBe(pairFingerprint(pair));
    expect(pairFingerprint({ source: 'c', target: 'ab' })).not.toBe(pairFingerprint(pair));
    expect(pairFingerprint({ source: 'a', target: 'bc' })).not.toBe(pairFingerprint(pair));
    expect(pairFingerprint({ source: '', target: '' })).not.toBe(pairFingerprint({ source: ' ', target: '' }));
  });

  it('finds no two alike among 200,000 pairs that differ in little', () => {
    const seen = new Set<number>();
    for (let i = 0; i < 447; i++)
      for (let j = 0; j < 447; j++) seen.add(pairFingerprint({ source: `sentence ${i}`, target: `Satz ${j}` }));
    expect(seen.size).toBe(447 * 447);
    for (const value of seen) if (!Number.isSafeInteger(value) || value < 0) throw new Error(`${value}`);
  });
});
