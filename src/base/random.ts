// Seeded randomness: xoshiro128** streams named by a seed and keys, so that no state needs saving:
// the stream of (seed, 'shuffle', epoch) is the same on every machine and after every resume.

export type RandomState = readonly [number, number, number, number];

/** A reproducible stream of random numbers. */
export class Random {
  private constructor(
    private a: number,
    private b: number,
    private c: number,
    private d: number,
  ) {}

  /** The stream named by a seed and keys: `Random.of(7, 'dropout', step)`. Unlike names give unrelated streams. */
  static of(seed: number, ...keys: readonly (number | string)[]): Random {
    let hash = mix(seed >>> 0, Math.floor(seed / 4294967296) >>> 0);
    for (const key of keys)
      hash = typeof key === 'number' ? mix(mix(hash, key >>> 0), 0x2545f491) : hashText(hash, key);
    return new Random(mix(hash, 1), mix(hash, 2), mix(hash, 3), mix(hash, 4) | 1);
  }

  static restore(state: RandomState): Random {
    return new Random(...state);
  }

  state(): RandomState {
    return [this.a, this.b, this.c, this.d];
  }

  /** A whole number in [0, 2^32). */
  uint32(): number {
    const scrambled = Math.imul(this.b, 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0;
    const shifted = this.b << 9;
    this.c ^= this.a;
    this.d ^= this.b;
    this.b ^= this.c;
    this.a ^= this.d;
    this.c ^= shifted;
    this.d = (this.d << 11) | (this.d >>> 21);
    return result;
  }

  /** A number in [0, 1) of 53 random bits. */
  uniform(): number {
    return (this.uint32() * 2097152 + (this.uint32() >>> 11)) / 9007199254740992;
  }

  /** A whole number in [0, bound), without bias for bounds up to 2^32. */
  integer(bound: number): number {
    return Math.floor(this.uniform() * bound);
  }

  /** A standard normal number (Box–Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }

  pick<T>(items: readonly T[]): T {
    return items[this.integer(items.length)];
  }

  /** Fisher–Yates, in place; returns its argument. */
  shuffle<T extends { [index: number]: unknown; readonly length: number }>(items: T): T {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.integer(i + 1);
      const kept = items[i];
      items[i] = items[j];
      items[j] = kept;
    }
    return items;
  }
}

/** One round of a 32-bit avalanche hash over two words (the finaliser of MurmurHash3). */
function mix(hash: number, word: number): number {
  let h = Math.imul(hash ^ Math.imul(word, 0xcc9e2d51), 0x1b873593) + 0xe6546b64;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

function hashText(hash: number, text: string): number {
  let h = mix(hash, text.length);
  for (let i = 0; i < text.length; i++) h = mix(h, text.charCodeAt(i));
  return h;
}
