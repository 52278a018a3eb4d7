import { describe, expect, it } from 'vitest';
import { type DecodeOptionsInput, decodeOptions } from './options.ts';

/** As read from a file, without type checking. */
const fromJson = (text: string): DecodeOptionsInput => JSON.parse(text);

describe('decodeOptions', () => {
  it('is as in the paper by default', () => {
    expect(decodeOptions()).toMatchObject({
      beam: 4,
      lengthPenalty: { kind: 'gnmt', alpha: 0.6 },
      maxLengthExtra: 50,
      nBest: 1,
    });
  });
  it('does not change complete options', () => {
    const options = decodeOptions({ sampling: { topK: 5 }, nBest: 3, lengthPenalty: 'average' });
    expect(decodeOptions(options)).toEqual(options);
  });
  it('reads undefined as the default, and a length penalty from text', () => {
    expect(decodeOptions({ beam: undefined, lengthPenalty: 'average:2' })).toMatchObject({
      beam: 4,
      lengthPenalty: { kind: 'average', power: 2 },
    });
  });
  it('completes sampling options, with a beam of 1', () => {
    expect(decodeOptions({ sampling: {} })).toMatchObject({
      beam: 1,
      sampling: { temperature: 1, topK: 0, topP: 1, seed: 0 },
    });
  });

  it.each([
    ['{"beem": 3}', 'decode: unknown option beem; did you mean beam?'],
    ['{"num_beams": 3}', 'decode: unknown option num_beams'],
    ['{"sampling": {"topk": 3}}', 'decode: unknown option sampling.topk; did you mean topK?'],
    ['{"beam": "4"}', 'decode: beam must be a whole number of at least 1, got "4".'],
    ['{"beam": 0}', 'decode: beam must be a whole number of at least 1, got 0.'],
    ['{"nBest": 0}', 'decode: nBest must be a whole number of at least 1, got 0.'],
    ['{"coveragePenalty": -1}', 'decode: coveragePenalty must be a number of at least 0, got -1.'],
    ['{"distinct": 1}', 'decode: distinct must be true or false, got 1.'],
    ['{"alternatives": "yes"}', 'decode: alternatives must be true or false, got "yes".'],
    ['{"sampling": true}', 'decode: sampling must be a record of temperature, topK, topP and seed, got true.'],
    ['{"sampling": null}', 'decode: sampling must be a record of temperature, topK, topP and seed, got null.'],
    ['{"sampling": {"temperature": 0}}', 'decode: sampling.temperature must be a number above 0, got 0.'],
    ['{"sampling": {"topK": -1}}', 'decode: sampling.topK must be a whole number of at least 0, got -1.'],
    ['{"sampling": {"topP": 1.5}}', 'decode: sampling.topP must be a number above 0 and at most 1, got 1.5.'],
    ['{"sampling": {"seed": 0.5}}', 'decode: sampling.seed must be a whole number of at least 0, got 0.5.'],
    ['{"maxLength": 0}', 'decode: maxLength must be a whole number of at least 1, got 0.'],
    ['{"maxLengthExtra": -1}', 'decode: maxLengthExtra must be a whole number of at least 0, got -1.'],
    ['{"minLength": -1}', 'decode: minLength must be a whole number of at least 0, got -1.'],
    ['{"noRepeatNgram": 1.5}', 'decode: noRepeatNgram must be a whole number of at least 0, got 1.5.'],
    ['{"repetitionPenalty": 0}', 'decode: repetitionPenalty must be a number above 0, got 0.'],
    ['{"bannedTokens": [-1]}', 'decode: bannedTokens must be a list of token ids, got [-1].'],
    ['{"bannedPhrases": [[]]}', 'decode: bannedPhrases must be a list of non-empty lists of token ids, got [[]].'],
    [
      '{"lengthPenalty": "gmnt"}',
      'decode: lengthPenalty must be gnmt:ALPHA (such as gnmt:0.6), average:POWER or none, got gmnt.',
    ],
    ['{"lengthPenalty": 0.6}', 'decode: lengthPenalty must be {kind: gnmt, alpha}'],
    ['{"lengthPenalty": {"kind": "gnmt"}}', 'decode: lengthPenalty must be {kind: gnmt, alpha}'],
    ['{"lengthPenalty": {"kind": "average", "power": "1"}}', 'decode: lengthPenalty must be {kind: gnmt, alpha}'],
    ['{"lengthPenalty": {"kind": "wu"}}', 'decode: lengthPenalty must be {kind: gnmt, alpha}'],
    ['{"beam": 4, "sampling": {}}', 'decode: sampling needs beam 1, got beam 4; use one of the two.'],
    [
      '{"alternatives": true, "sampling": {}}',
      'decode: alternatives are searched for, not sampled; use one of the two.',
    ],
    ['{"beam": 2, "nBest": 3}', 'decode: nBest must be at most beam, got nBest 3 and beam 2.'],
    ['{"minLength": 6, "maxLength": 5}', 'decode: minLength must be at most maxLength, got 6 and 5.'],
  ])('refuses %s', (text, message) => {
    expect(() => decodeOptions(fromJson(text))).toThrow(message);
  });
  it('shows NaN and Infinity in messages', () => {
    expect(() => decodeOptions({ beam: Number.NaN })).toThrow('got NaN.');
  });
  it('allows more samples and alternatives than the beam', () => {
    expect(decodeOptions({ sampling: {}, nBest: 8 }).nBest).toBe(8);
    expect(decodeOptions({ alternatives: true, beam: 2, nBest: 8 }).nBest).toBe(8);
  });
});
