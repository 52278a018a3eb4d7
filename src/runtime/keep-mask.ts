// Dropout's masks, drawn fast: two entries from each 32-bit number of a stream of its own. They are looked up, not
// compared: a comparison that chance decides is mispredicted too often to be cheap.

import type { Random } from '../base/random.ts';

/** Steps of a rate. */
const STEPS = 65536;

/** For each rate seen, what each 16-bit number becomes. */
const entries = new Map<number, Float32Array>();

/** Fills `mask` with 0 (with probability `rate`, to 1/65536) or 1 / (1 − rate). */
export function fillKeepMask(mask: Float32Array, rate: number, random: Random): void {
  const entryOf = entriesFor(rate);
  // An xorshift128 state of local numbers: the engine keeps them in registers.
  let [a, b, c, d] = [random.uint32() | 0, random.uint32() | 0, random.uint32() | 0, random.uint32() | 1];
  const even = mask.length & ~1;
  for (let i = 0; i < even; i += 2) {
    const t = d ^ (d << 11);
    d = c;
    c = b;
    b = a;
    a ^= (a >>> 19) ^ t ^ (t >>> 8);
    mask[i] = entryOf[a & 0xffff];
    mask[i + 1] = entryOf[a >>> 16];
  }
  if (even < mask.length) mask[even] = entryOf[random.uint32() >>> 16];
}

function entriesFor(rate: number): Float32Array {
  const known = entries.get(rate);
  if (known !== undefined) return known;
  const made = new Float32Array(STEPS).fill(1 / (1 - rate)).fill(0, 0, Math.round(rate * STEPS));
  entries.set(rate, made);
  return made;
}
