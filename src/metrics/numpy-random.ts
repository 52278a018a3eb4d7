// The stream of numbers of numpy's default generator: SeedSequence, PCG64 (O'Neill 2014) and Lemire's bounded integers.
// sacreBLEU draws its samples from it; with the same draws, the same seed in a signature means the same samples.

const MASK_64 = (1n << 64n) - 1n;
const MASK_128 = (1n << 128n) - 1n;
const PCG_MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n;

/** `numpy.random.default_rng(seed)`. */
export class NumpyRandom {
  private state: bigint;
  private readonly increment: bigint;
  /** The upper half of the last 64 bits, which the next draw of 32 bits uses up. */
  private spare: number | undefined;

  /** @param seed a whole number from 0 to 2^53 − 1 */
  constructor(seed: number) {
    const [stateHigh, stateLow, streamHigh, streamLow] = seedWords(seed);
    const stream = (streamHigh << 64n) | streamLow;
    this.increment = ((stream << 1n) | 1n) & MASK_128;
    this.state = (this.increment + ((stateHigh << 64n) | stateLow)) & MASK_128;
    this.step();
  }

  /** `integers(bound)`: a whole number in [0, bound), without bias, for bounds up to 2^32 − 1. Bound 1 draws nothing. */
  integer(bound: number): number {
    if (bound === 1) return 0;
    const biased = 2 ** 32 % bound;
    while (true) {
      const [high, low] = multiplyWords(this.uint32(), bound);
      if (low >= biased) return high;
    }
  }

  /** `integers(2, dtype=bool)`, as a generator since 32 of them share one draw. */
  *booleans(): Generator<boolean, never> {
    while (true) {
      const bits = this.uint32();
      for (let bit = 0; bit < 32; bit++) yield ((bits >>> bit) & 1) === 1;
    }
  }

  private uint32(): number {
    if (this.spare !== undefined) {
      const spare = this.spare;
      this.spare = undefined;
      return spare;
    }
    const bits = this.uint64();
    this.spare = Number(bits >> 32n);
    return Number(bits & 0xffffffffn);
  }

  /** Output function XSL-RR: the halves xored, then rotated right by the top six bits. */
  private uint64(): bigint {
    this.step();
    const folded = (this.state >> 64n) ^ (this.state & MASK_64);
    const rotation = this.state >> 122n;
    return ((folded >> rotation) | (folded << (64n - rotation))) & MASK_64;
  }

  private step(): void {
    this.state = (this.state * PCG_MULTIPLIER + this.increment) & MASK_128;
  }
}

/** The two 32-bit halves of a product of 32-bit numbers. */
function multiplyWords(a: number, b: number): readonly [high: number, low: number] {
  const lowHalf = (a & 0xffff) * b;
  const highHalf = (a >>> 16) * b + Math.floor(lowHalf / 0x10000);
  return [Math.floor(highHalf / 0x10000), (highHalf % 0x10000) * 0x10000 + (lowHalf % 0x10000)];
}

const POOL_SIZE = 4;

/** `SeedSequence(seed).generate_state(4, uint64)`: the seed hashed into a pool of four words, the pool into eight. */
function seedWords(seed: number): bigint[] {
  const pool = mixPool([seed >>> 0, Math.floor(seed / 2 ** 32)]);
  const hash = wordHash(0x8b51f9dd, 0x58f38ded);
  const words = Array.from({ length: 8 }, (_, index) => BigInt(hash(pool[index % POOL_SIZE])));
  return [0, 2, 4, 6].map((low) => words[low] | (words[low + 1] << 32n));
}

function mixPool(entropy: readonly number[]): number[] {
  const hash = wordHash(0x43b0d7e5, 0x931e8875);
  const pool = Array.from({ length: POOL_SIZE }, (_, index) => hash(entropy[index] ?? 0));
  for (let source = 0; source < POOL_SIZE; source++) {
    for (let target = 0; target < POOL_SIZE; target++) {
      if (source === target) continue;
      const mixed = Math.imul(0xca01f9dd, pool[target]) - Math.imul(0x4973f715, hash(pool[source]));
      pool[target] = (mixed ^ (mixed >>> 16)) >>> 0;
    }
  }
  return pool;
}

/** A hash of 32-bit words whose constant changes with every word. */
function wordHash(initial: number, multiplier: number): (word: number) => number {
  let constant = initial;
  return (word) => {
    const xored = word ^ constant;
    constant = Math.imul(constant, multiplier);
    const product = Math.imul(xored, constant);
    return (product ^ (product >>> 16)) >>> 0;
  };
}
