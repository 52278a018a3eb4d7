import { describe, expect, it } from 'vitest';
import { initialState, parseState } from './state.ts';

describe('parseState', () => {
  const state = { ...initialState(), step: 7, validationsWithoutImprovement: 3, best: 1.5 };

  it('reads what is saved, in the same order of keys', () => {
    expect(JSON.stringify(parseState(JSON.stringify(state)))).toBe(JSON.stringify(state));
  });

  it('reads a state of heed 0.1, which counts validations without improvement as `stale`', () => {
    const { validationsWithoutImprovement: stale, ...rest } = state;
    const parsed = parseState(JSON.stringify({ ...rest, stale }));
    expect(parsed).toEqual(state);
    expect(JSON.stringify(parsed)).toBe(JSON.stringify(state));
  });
});
