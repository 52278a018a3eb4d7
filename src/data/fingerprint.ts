// A hash of a pair of texts, by which repeated pairs are found without keeping their text.

import type { TextPair } from './pairs.ts';

/**
 * A 53-bit hash of a pair. Two unlike pairs among ten million share one with a probability of 0.6 %; remembering the
 * texts themselves would cost a hundred bytes and more a pair.
 */
export function pairFingerprint(pair: TextPair): number {
  // A line holds no \n, so that the joined text determines the pair.
  const text = `${pair.source}\n${pair.target}`;
  let high = 0x9e3779b9;
  let low = 0x85ebca6b;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x5f356495);
    low = Math.imul(low ^ unit, 0x32c0dd91);
    high ^= high >>> 15;
    low ^= low >>> 13;
  }
  return (high >>> 11) * 4294967296 + (low >>> 0);
}
