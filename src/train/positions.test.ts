import { describe, expect, it } from 'vitest';
import { transformerConfig } from '../architectures/index.ts';
import { checkPositions } from './positions.ts';

const lengths = { source: Int32Array.of(3, 9), target: Int32Array.of(4, 2) };
const configOf = (positions: 'learned' | 'interleaved', maxPositions: number) =>
  transformerConfig({ dModel: 8, heads: 2, positions, maxPositions }, { sourceVocabularySize: 10 });

describe('checkPositions', () => {
  it('lets pass what fits a learned table, and any length where positions are computed', () => {
    checkPositions(configOf('learned', 9), lengths);
    checkPositions(configOf('interleaved', 1), lengths);
  });

  it('names the longest sentence that does not fit', () => {
    const message =
      'positions: sentences must fit into 8 learned positions, got one of 9 with its end; raise maxPositions';
    expect(() => checkPositions(configOf('learned', 8), lengths)).toThrow(message);
  });
});
