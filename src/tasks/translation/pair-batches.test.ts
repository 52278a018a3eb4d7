import { describe, expect, it } from 'vitest';
import { Random } from '../../base/random.ts';
import { type Augment, EncodedPairs } from '../../data/index.ts';
import type { TrainingBatch } from '../../train/index.ts';
import { PairBatches } from './pair-batches.ts';

const controls = { padId: 0, startId: 1, endId: 2 };
const ids = { source: controls, target: controls };
const pairs = new EncodedPairs();
const random = Random.of(1);
for (let i = 0; i < 400; i++) {
  const length = 2 + random.integer(10);
  pairs.append({ source: new Int32Array(length).fill(10 + i), target: new Int32Array(length + (i % 3)).fill(10 + i) });
}
const setup = { pairs, ids, maxTokens: 120, seed: 1 };

/** Which pairs a batch holds, in order: their ids say so. */
function namesOf(batch: TrainingBatch): number[] {
  const { shape, data } = sourceOf(batch);
  return Array.from({ length: shape[0] }, (_, row) => data[row * shape[1]] - 10);
}

function sourceOf({ inputs }: TrainingBatch) {
  const source = inputs.get('source');
  if (source === undefined) throw new Error('a batch of pairs has a source');
  return source;
}

/** Three times as long. */
const longer: Augment = ({ source, target }) => ({
  source: Int32Array.of(...source, ...source, ...source),
  target: Int32Array.of(...target, ...target, ...target),
});

describe('PairBatches', () => {
  it('reads each batch of an epoch as it was cut', () => {
    const batches = new PairBatches(setup);
    const read = batches.epoch(1).batches.map((indices) => batches.read(indices, 1));
    expect(read.every((parts) => parts.length === 1)).toBe(true);
    expect(read.map(([batch]) => namesOf(batch))).toEqual(batches.epoch(1).batches.map((indices) => [...indices]));
    const targets = read.reduce((sum, [batch]) => sum + batch.targetTokens, 0);
    expect(batches.targetTokens(1)).toBe(targets);
    expect(batches.padding(1)).toBeGreaterThan(0);
    expect(batches.padding(1)).toBeLessThan(0.2);
  });

  it('cuts batches that grew too large, and loses no pair', () => {
    const batches = new PairBatches({ ...setup, augment: longer });
    for (const indices of batches.epoch(1).batches) {
      const parts = batches.read(indices, 1);
      expect(parts.length).toBeGreaterThan(1);
      for (const part of parts) {
        const [rows, targetLength] = part.expected.shape;
        expect(rows * Math.max(sourceOf(part).shape[1], targetLength)).toBeLessThanOrEqual(120);
      }
      expect(parts.flatMap(namesOf)).toEqual([...indices]);
    }
  });

  it('leaves a pair as it is that would not fit any more', () => {
    const batches = new PairBatches({ ...setup, maxTokens: 25, augment: longer });
    for (const indices of batches.epoch(1).batches)
      for (const { expected } of batches.read(indices, 1))
        expect(expected.shape[0] * expected.shape[1]).toBeLessThanOrEqual(25);
  });

  it('passes step and index to the augmentation', () => {
    const seen: string[] = [];
    const batches = new PairBatches({
      ...setup,
      augment: (pair, { step, index }) => {
        seen.push(`${step} ${index}`);
        return pair;
      },
    });
    batches.read(Uint32Array.of(7, 5), 42);
    expect(seen).toEqual(['42 7', '42 5']);
  });

  it('mixes corpora by weight, and counts what fits nowhere', () => {
    const corpora = [
      { pairs: 100, weight: 3 },
      { pairs: 300, weight: 1 },
    ];
    const batches = new PairBatches({ ...setup, corpora });
    const all = batches.epoch(1).batches.flatMap((indices) => [...indices]);
    expect(all.filter((index) => index < 100)).toHaveLength(300);
    expect(all).toHaveLength(400);
    expect(new PairBatches({ ...setup, maxTokens: 8 }).epoch(1).leftOut).toBeGreaterThan(0);
  });
});
