// Byte-pair encoding, applied (Sennrich et al. 2016; the paper's §5.1): a word begins as its characters, and of the
// neighbours that the merge list names, the pair named first is joined, the leftmost one first, until none is left. A
// character without a piece goes by its UTF-8 bytes. BPE dropout: Provilkov et al. 2020.

import { Heap } from './heap.ts';
import { type Merge, spaceMark, type Vocabulary } from './pieces.ts';

/** Whether to skip a merge; drawn again for each candidate at each step. */
type Drop = () => boolean;

/** A pair of neighbours that could be joined: the merge's rank, and where its left piece begins. */
interface Candidate {
  readonly rank: number;
  readonly position: number;
}

/** Encodes words to ids with a merge list. */
export class BytePairEncoder {
  private readonly characterIds = new Map<string, number>();
  private readonly ranks = new Map<number, number>();
  private readonly results: Int32Array;

  constructor(
    private readonly vocabulary: Vocabulary,
    merges: readonly Merge[],
  ) {
    for (let id = vocabulary.firstCharacterId; id < vocabulary.size; id++) {
      const piece = vocabulary.pieces[id];
      this.characterIds.set(piece === spaceMark ? ' ' : piece, id); // merged pieces are never looked up
    }
    this.results = new Int32Array(merges.length);
    for (const [rank, [left, right]] of merges.entries()) {
      this.ranks.set(pairKey(vocabulary.idOf(left)!, vocabulary.idOf(right)!), rank);
      this.results[rank] = vocabulary.idOf(left + right)!;
    }
  }

  /** The ids of a word of n characters, in O(n log n). Without `drop`, equal words give equal ids. */
  encode(word: string, drop: Drop = never): number[] {
    const ids = this.characters(word);
    const next = ids.map((_, position) => position + 1);
    const previous = ids.map((_, position) => position - 1);
    const candidates = new Heap<Candidate>((a, b) => a.rank < b.rank || (a.rank === b.rank && a.position < b.position));
    const rankAt = (position: number): number | undefined =>
      this.ranks.get(pairKey(ids[position], ids[next[position]]));
    const consider = (position: number): void => {
      if (position < 0 || next[position] >= ids.length) return;
      const rank = rankAt(position);
      if (rank !== undefined) candidates.push({ rank, position });
    };
    for (let position = 0; position < ids.length; position++) consider(position);

    const dropped: Candidate[] = [];
    for (let best = candidates.pop(); best !== undefined; best = candidates.pop()) {
      const { rank, position } = best;
      if (ids[position] === gone || next[position] >= ids.length || rankAt(position) !== rank) continue; // out of date
      if (drop()) {
        dropped.push(best);
        continue;
      }
      ids[position] = this.results[rank];
      ids[next[position]] = gone;
      next[position] = next[next[position]];
      if (next[position] < ids.length) previous[next[position]] = position;
      consider(previous[position]);
      consider(position);
      for (const candidate of dropped.splice(0)) candidates.push(candidate);
    }
    return ids.filter((id) => id !== gone);
  }

  /** The ids of a word's characters or, for those without a piece, of their bytes. */
  private characters(word: string): number[] {
    const ids: number[] = [];
    for (const character of word) {
      const id = this.characterIds.get(character);
      if (id !== undefined) ids.push(id);
      else for (const byte of utf8.encode(character)) ids.push(this.vocabulary.firstByteId + byte);
    }
    return ids;
  }
}

const utf8 = new TextEncoder();

/** Marks the place of a right piece after its merge. No merge has such an id. */
const gone = -1;

const never: Drop = () => false;

/** One number for two ids, each below 2^26. */
export function pairKey(left: number, right: number): number {
  return left * 0x4000000 + right;
}
