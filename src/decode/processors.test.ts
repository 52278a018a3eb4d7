import { describe, expect, it } from 'vitest';
import { decodeOptions } from './options.ts';
import {
  bannedPhrases,
  forcedPrefix,
  minimumLength,
  noRepeatNgram,
  type Processor,
  processorsAt,
  repetitionPenalty,
  requiredPhrases,
} from './processors.ts';
import type { SentenceTask } from './sentence.ts';

/** Tokens out of five that a processor leaves possible after `history`. */
function allowed(processor: Processor, history: readonly number[]): number[] {
  const row = new Float32Array(5).fill(-1);
  processor(history, row);
  return [...row.keys()].filter((token) => row[token] > -Infinity);
}

describe('noRepeatNgram', () => {
  it('forbids tokens that would repeat a sequence', () => {
    expect(allowed(noRepeatNgram(2), [1, 2, 3, 1])).toEqual([0, 1, 3, 4]);
    expect(allowed(noRepeatNgram(3), [1, 2, 3, 1, 2])).toEqual([0, 1, 2, 4]);
  });
  it('detects overlapping sequences', () => {
    expect(allowed(noRepeatNgram(2), [4, 4])).toEqual([0, 1, 2, 3]);
  });
  it('with 1 forbids every token written', () => {
    expect(allowed(noRepeatNgram(1), [1, 3])).toEqual([0, 2, 4]);
  });
  it('does nothing for short histories', () => {
    expect(allowed(noRepeatNgram(3), [])).toHaveLength(5);
    expect(allowed(noRepeatNgram(3), [1, 1])).toHaveLength(5);
  });
});

describe('repetitionPenalty', () => {
  it('multiplies each written token once', () => {
    const row = Float32Array.of(-1, -2, -3);
    repetitionPenalty(1.5)([1, 1, 1], row);
    expect([...row]).toEqual([-1, -3, -3]);
  });
});

describe('bannedPhrases', () => {
  it('forbids the last token after the others', () => {
    const processor = bannedPhrases([[1, 2], [1, 1, 3], [4]]);
    expect(allowed(processor, [])).toEqual([0, 1, 2, 3]);
    expect(allowed(processor, [0, 1])).toEqual([0, 1, 3]);
    expect(allowed(processor, [1, 1])).toEqual([0, 1]);
  });
});

describe('minimumLength', () => {
  it('forbids END until enough tokens are written', () => {
    expect(allowed(minimumLength(2, 0), [1])).toEqual([1, 2, 3, 4]);
    expect(allowed(minimumLength(2, 0), [1, 1])).toHaveLength(5);
  });
});

describe('forcedPrefix', () => {
  it('allows only the next token of the prefix, with its probability, and does nothing after the prefix', () => {
    const row = Float32Array.of(-1, -2, -3);
    forcedPrefix([0, 2])([0], row);
    expect([...row]).toEqual([-Infinity, -Infinity, -3]);
    expect(allowed(forcedPrefix([0, 2]), [0, 2])).toHaveLength(5);
  });
});

describe('requiredPhrases', () => {
  it('forbids END while a phrase is missing', () => {
    const processor = requiredPhrases([[1, 2], [3]], 0);
    expect(allowed(processor, [3, 1])).toEqual([1, 2, 3, 4]);
    expect(allowed(processor, [3, 1, 2])).toHaveLength(5);
  });
});

describe('processorsAt', () => {
  const task = (more: Partial<SentenceTask>): SentenceTask => ({
    sentence: 0,
    number: 0,
    sourceLength: 5,
    maxLength: 55,
    prefix: [],
    forcedPhrases: [],
    suppressed: new Set(),
    endId: 0,
    vocabularySize: 5,
    options: decodeOptions(),
    ...more,
  });
  it('returns none by default, so that the best few tokens suffice', () => {
    expect(processorsAt(task({}), 0)).toEqual([]);
  });
  it('returns only those that apply at that length', () => {
    const options = decodeOptions({ minLength: 2, noRepeatNgram: 3, repetitionPenalty: 1.2, bannedPhrases: [[1]] });
    const counts = [0, 1, 2, 3].map((length) => processorsAt(task({ options }), length).length);
    expect(counts).toEqual([2, 3, 2, 3]);
    expect(processorsAt(task({ forcedPhrases: [[1]] }), 9)).toHaveLength(1);
  });
  it('gives the prefix priority over other rules', () => {
    const options = decodeOptions({ bannedPhrases: [[1]] });
    const [only, ...others] = processorsAt(task({ options, prefix: [1, 1] }), 1);
    expect(others).toEqual([]);
    expect(allowed(only, [1])).toEqual([1]);
  });
});
