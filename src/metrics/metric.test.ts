import { describe, expect, it } from 'vitest';
import { corpusBleu } from './bleu.ts';
import { alignSegments } from './metric.ts';

describe('alignSegments', () => {
  it('turns streams into lines and leaves out missing references', () => {
    expect(
      alignSegments(
        'BLEU',
        ['a', 'b'],
        [
          ['x', 'y'],
          [undefined, ''],
        ],
      ),
    ).toEqual({
      segments: [
        { hypothesis: 'a', references: ['x'] },
        { hypothesis: 'b', references: ['y', ''] },
      ],
      referenceCount: 'var',
    });
    expect(alignSegments('BLEU', ['a'], [['x'], ['y']]).referenceCount).toBe(2);
  });
  it('refuses unequal line counts and tells both', () => {
    expect(() =>
      corpusBleu(
        ['a', 'b', 'c'],
        [
          ['a', 'b', 'c'],
          ['a', 'b'],
        ],
      ),
    ).toThrow(
      'BLEU: each reference stream needs one line per hypothesis, got 3 hypotheses and 2 lines in reference stream 2; ' +
        'check that the files belong together line by line.',
    );
  });
  it('refuses empty corpora and lines without reference', () => {
    expect(() => alignSegments('TER', [], [[]])).toThrow('TER: needs at least one hypothesis line, got none.');
    expect(() => alignSegments('TER', ['a'], [])).toThrow('TER: needs at least one reference stream, got none.');
    expect(() => alignSegments('TER', ['a', 'b'], [['x', undefined]])).toThrow(
      'TER: each line needs at least one reference, got none for line 2.',
    );
  });
});
