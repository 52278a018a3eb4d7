import { describe, expect, it } from 'vitest';
import { endId, HashedModel, padId, startId } from '../../test/hashed-model.ts';
import { type DecodeOptionsInput, decodeOptions } from './options.ts';
import { type SentenceInput, sentenceTasks } from './sentence.ts';

const model = new HashedModel({ words: 5, seeds: [1] });
const task = (input: Partial<SentenceInput>, options: DecodeOptionsInput = {}, controlTokens: number[] = []) =>
  sentenceTasks(model, [{ sourceLength: 4, ...input }], decodeOptions(options), controlTokens)[0];

describe('sentenceTasks', () => {
  it('limits each output by the length of its source', () => {
    const inputs = [{ sourceLength: 4 }, { sourceLength: 90 }];
    const limits = (options: DecodeOptionsInput) =>
      sentenceTasks(model, inputs, decodeOptions(options), []).map(({ maxLength }) => maxLength);
    expect(limits({})).toEqual([54, 140]);
    expect(limits({ maxLength: 60 })).toEqual([54, 60]);
    expect(task({ sourceLength: 0 }, { maxLengthExtra: 0 }).maxLength).toBe(1);
  });
  it('suppresses padding, START, control tokens and banned tokens, but never END', () => {
    expect(task({}, { bannedTokens: [5] }, [4, endId]).suppressed).toEqual(new Set([padId, startId, 4, 5]));
  });
  it('numbers sentences by their index unless given', () => {
    expect(task({}).number).toBe(0);
    expect(task({ number: 41 }).number).toBe(41);
  });

  it.each<[string, Partial<SentenceInput>, DecodeOptionsInput, string]>([
    ['a wrong source length', { sourceLength: 1.5 }, {}, 'sentences[0].sourceLength must be a whole number, got 1.5.'],
    ['an unknown banned token', {}, { bannedTokens: [8] }, 'bannedTokens must hold ids from 0 to 7, got 8.'],
    [
      'a banned END',
      {},
      { bannedTokens: [endId] },
      'bannedTokens must not hold END (2); to get longer outputs use minLength.',
    ],
    ['an unknown token in the prefix', { prefix: [9] }, {}, 'sentences[0].prefix must hold ids from 0 to 7, got 9.'],
    [
      'END in the prefix',
      { prefix: [4, endId] },
      {},
      'sentences[0].prefix holds 2, which is a control token or banned',
    ],
    ['a banned token in the prefix', { prefix: [4] }, { bannedTokens: [4] }, 'sentences[0].prefix holds 4, which is'],
    [
      'a prefix without room behind it',
      { prefix: [4, 4] },
      { maxLength: 2 },
      "sentences[0].prefix must leave room below the sentence's maximal length, got 2 tokens and 2.",
    ],
    [
      'an empty forced phrase',
      { forcedPhrases: [[]] },
      {},
      'sentences[0].forcedPhrases[0] must hold at least one token.',
    ],
    [
      'padding in a forced phrase',
      { forcedPhrases: [[4], [padId]] },
      {},
      'sentences[0].forcedPhrases[1] holds 0, which is',
    ],
    [
      'a forced phrase when sampling',
      { forcedPhrases: [[4]] },
      { sampling: {} },
      'sentences[0].forcedPhrases needs beam search',
    ],
    [
      'a phrase both forced and banned',
      { forcedPhrases: [[3, 4, 5]] },
      { bannedPhrases: [[4, 5]] },
      'sentences[0].forcedPhrases[0] contains the banned phrase [4, 5]; leave one of them out.',
    ],
  ])('refuses %s', (_, input, options, message) => {
    expect(() => task(input, options)).toThrow(`decode: ${message}`);
  });
});
