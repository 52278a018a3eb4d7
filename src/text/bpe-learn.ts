// Byte-pair encoding, learned (Sennrich et al. 2016): again and again the most frequent pair of neighbours in the counted
// words becomes one symbol. Pair counts are kept up to date word by word, and a heap finds the next pair, so that each
// merge costs only the words it changes.

import { pairKey } from './bpe.ts';
import { Heap } from './heap.ts';
import { emptyList, type NumberList, NumberLists } from './number-lists.ts';
import { type Merge, spaceMark } from './pieces.ts';

export interface MergeOptions {
  /** The characters that may be merged, in the order of their ids; any other character splits its word. */
  readonly characters: readonly string[];
  /** Maximum number of merges. */
  readonly maxMerges: number;
  /** Maximum number of characters and merged pieces. */
  readonly maxPieces: number;
  /** Minimum frequency of a merged pair. */
  readonly minimumFrequency: number;
  /** Pieces that no merge may give. */
  readonly reserved: ReadonlySet<string>;
}

/** Two neighbouring symbols: how often they occur, and the words that hold (or once held) them. */
interface Pair {
  readonly left: number;
  readonly right: number;
  count: number;
  words: NumberList;
}

/** A pair with its count when it was put into the heap; out of date once the two counts differ. */
interface Candidate {
  readonly pair: Pair;
  readonly count: number;
}

/**
 * The merges that compress `words` best, step by step. Of equally frequent pairs the one with the lower left id goes first,
 * then the one with the lower right id (ids: characters in their given order, then merges as learned).
 * @param words how often each word occurs, a space being a space
 */
export function learnMerges(words: ReadonlyMap<string, number>, options: MergeOptions): Merge[] {
  const learner = new Learner(words, options);
  const merges: Merge[] = [];
  while (merges.length < options.maxMerges && learner.pieces.length < options.maxPieces) {
    const pair = learner.mostFrequent();
    if (pair === undefined) break;
    const left = learner.pieces[pair.left];
    const right = learner.pieces[pair.right];
    if (options.reserved.has(left + right)) continue;
    if (learner.merge(pair)) merges.push([left, right]);
  }
  return merges;
}

/** The counted words as rows of symbols, and the pairs in them. */
class Learner {
  /** The spelling of each symbol. */
  readonly pieces: string[];
  private readonly symbolOf: Map<string, number>;
  /** All words, one behind the other; word w occupies `lengths[w]` symbols from `starts[w]` on. */
  private readonly symbols: Int32Array;
  private readonly starts: number[] = [];
  private readonly lengths: number[] = [];
  private readonly counts: number[] = [];
  private readonly pairs = new Map<number, Pair>();
  private readonly wordLists = new NumberLists();
  private readonly merged = new Set<number>();
  private readonly minimumFrequency: number;
  private readonly candidates = new Heap<Candidate>(goesBefore);

  constructor(words: ReadonlyMap<string, number>, { characters, minimumFrequency }: MergeOptions) {
    this.pieces = [...characters];
    this.symbolOf = new Map(characters.map((character, symbol) => [character, symbol]));
    this.minimumFrequency = minimumFrequency;
    let capacity = 0;
    for (const word of words.keys()) capacity += word.length;
    this.symbols = new Int32Array(capacity);
    this.addWords(words);
    for (const pair of this.pairs.values()) this.propose(pair);
  }

  /** Takes the most frequent pair out of the heap. Each pair comes once, unless it grows again. */
  mostFrequent(): Pair | undefined {
    for (let best = this.candidates.pop(); best !== undefined; best = this.candidates.pop()) {
      const { pair, count } = best;
      if (count === pair.count) return pair;
      if (pair.count < count) this.propose(pair); // a pair that grew was proposed again when it did
    }
    return undefined;
  }

  /** Joins a pair everywhere. False if this pair was joined before and only came up again, so that it is no new merge. */
  merge(pair: Pair): boolean {
    const key = pairKey(pair.left, pair.right);
    const isNew = !this.merged.has(key);
    this.merged.add(key);
    const joined = this.symbolFor(this.pieces[pair.left] + this.pieces[pair.right]);
    const grown = new Set<Pair>();
    for (const word of this.wordLists.take(pair.words)) this.mergeInWord(word, pair, joined, grown);
    this.pairs.delete(key);
    pair.count = 0;
    for (const changed of grown) this.propose(changed);
    return isNew;
  }

  private propose(pair: Pair): void {
    if (pair.count >= this.minimumFrequency) this.candidates.push({ pair, count: pair.count });
  }

  /** Rewrites one word from left to right in place; `write` never overtakes `read`. */
  private mergeInWord(word: number, { left, right }: Pair, joined: number, grown: Set<Pair>): void {
    const { symbols } = this;
    const start = this.starts[word];
    const end = start + this.lengths[word];
    let write = start;
    for (let read = start; read < end; read++) {
      if (symbols[read] !== left || read + 1 === end || symbols[read + 1] !== right) {
        symbols[write++] = symbols[read];
        continue;
      }
      if (write > start) {
        this.shrink(symbols[write - 1], left, word);
        grown.add(this.grow(symbols[write - 1], joined, word));
      }
      if (read + 2 < end) {
        this.shrink(right, symbols[read + 2], word);
        grown.add(this.grow(joined, symbols[read + 2], word));
      }
      symbols[write++] = joined;
      read++;
    }
    this.lengths[word] = write - start;
  }

  private grow(left: number, right: number, word: number): Pair {
    const key = pairKey(left, right);
    let pair = this.pairs.get(key);
    if (pair === undefined) {
      pair = { left, right, count: 0, words: emptyList };
      this.pairs.set(key, pair);
    }
    pair.count += this.counts[word];
    pair.words = this.wordLists.add(pair.words, word);
    return pair;
  }

  private shrink(left: number, right: number, word: number): void {
    const key = pairKey(left, right);
    const pair = this.pairs.get(key)!;
    pair.count -= this.counts[word];
    if (pair.count > 0) return;
    this.pairs.delete(key);
    this.wordLists.clear(pair.words);
  }

  /** Merges of different pairs may give the same piece: `ab`+`c` and `a`+`bc`. */
  private symbolFor(piece: string): number {
    const known = this.symbolOf.get(piece);
    if (known !== undefined) return known;
    this.symbolOf.set(piece, this.pieces.length);
    return this.pieces.push(piece) - 1;
  }

  private addWords(words: ReadonlyMap<string, number>): void {
    let at = 0;
    for (const [word, count] of words) {
      let start = at;
      for (const character of word) {
        const symbol =
          character === spaceMark ? undefined : this.symbolOf.get(character === ' ' ? spaceMark : character);
        if (symbol !== undefined) this.symbols[at++] = symbol;
        else {
          this.addWord(start, at, count);
          start = at;
        }
      }
      this.addWord(start, at, count);
    }
  }

  private addWord(start: number, end: number, count: number): void {
    if (end - start < 2) return;
    const word = this.counts.push(count) - 1;
    this.starts.push(start);
    this.lengths.push(end - start);
    for (let at = start; at + 1 < end; at++) this.grow(this.symbols[at], this.symbols[at + 1], word);
  }
}

function goesBefore(a: Candidate, b: Candidate): boolean {
  if (a.count !== b.count) return a.count > b.count;
  if (a.pair.left !== b.pair.left) return a.pair.left < b.pair.left;
  return a.pair.right < b.pair.right;
}
