// Dropout's masks, drawn fast: filled with what kept entries are, then zeros are set at random distances, so that the
// work goes with the rate. Distances are looked up, not compared: a comparison that chance decides is mispredicted too
// often to be cheap.

import type { Random } from '../base/random.ts';

/** How many 16-bit numbers there are. */
const DRAWS = 65536;

/** Distances that are drawn at once reach at least so far that the chance of a greater one is below this. */
const LEFT_OVER = 1 / 8;

/** For each rate seen, what each 16-bit number says: twice the distance to the next entry to be written, and 1 if it is kept. */
const known = new Map<number, Uint16Array>();

/** Fills `mask` with 0 (with probability `rate`, to about 1e-4) or 1 / (1 − rate). */
export function fillKeepMask(mask: Float32Array, rate: number, random: Random): void {
  const draws = drawsFor(rate);
  const entries = Float32Array.of(0, 1 / (1 - rate));
  mask.fill(entries[1]);
  // An xorshift128 state of local numbers: the engine keeps them in registers.
  let [a, b, c, d] = [random.uint32() | 0, random.uint32() | 0, random.uint32() | 0, random.uint32() | 1];
  let place = -1;
  while (place < mask.length) {
    const t = d ^ (d << 11);
    d = c;
    c = b;
    b = a;
    a ^= (a >>> 19) ^ t ^ (t >>> 8);
    const [first, second] = [draws[a & 0xffff], draws[a >>> 16]];
    place += first >> 1;
    if (place < mask.length) mask[place] = entries[first & 1];
    place += second >> 1;
    if (place < mask.length) mask[place] = entries[second & 1];
  }
}

/**
 * The next zero is k places on with probability (1 − rate)^(k − 1) · rate, for k up to `longest`. The draws left over
 * go on by `longest` and keep that entry too; since what comes then does not depend on what was, nothing is lost.
 */
function drawsFor(rate: number): Uint16Array {
  const found = known.get(rate);
  if (found !== undefined) return found;
  const keep = 1 - rate;
  const longest = Math.max(1, Math.min(32767, Math.ceil(Math.log(LEFT_OVER) / Math.log(keep))));
  const draws = new Uint16Array(DRAWS).fill(2 * longest + 1);
  let drawn = 0;
  for (let distance = 1; distance <= longest; distance++) {
    const upTo = Math.round(DRAWS * (1 - keep ** distance));
    draws.fill(2 * distance, drawn, upTo);
    drawn = upTo;
  }
  known.set(rate, draws);
  return draws;
}
