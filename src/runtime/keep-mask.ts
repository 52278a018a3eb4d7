// Dropout's masks, drawn fast: two entries from each 32-bit number of a stream of its own.

import type { Random } from '../base/random.ts';

/** Fills `mask` with 0 (with probability `rate`, to 1/65536) or 1 / (1 − rate). */
export function fillKeepMask(mask: Float32Array, rate: number, random: Random): void {
  const threshold = Math.round(rate * 65536);
  const kept = 1 / (1 - rate);
  // An xorshift128 state of local numbers: the engine keeps them in registers.
  let [a, b, c, d] = [random.uint32() | 0, random.uint32() | 0, random.uint32() | 0, random.uint32() | 1];
  const even = mask.length & ~1;
  for (let i = 0; i < even; i += 2) {
    const t = d ^ (d << 11);
    d = c;
    c = b;
    b = a;
    a ^= (a >>> 19) ^ t ^ (t >>> 8);
    mask[i] = (a & 0xffff) < threshold ? 0 : kept;
    mask[i + 1] = a >>> 16 < threshold ? 0 : kept;
  }
  if (even < mask.length) mask[even] = random.uint32() >>> 16 < threshold ? 0 : kept;
}
