// A corpus as one sequence of ids: each document between START and END.

import type { Tokenizer } from '../text/index.ts';

/** A document, or a part of one that is read in parts. */
export interface DocumentPart {
  /** A part that is not the first follows a space, which is left out: encoding puts one before each text. */
  readonly text: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Ids in memory, four bytes each. */
export class TokenStream {
  private ids = new Int32Array(1 << 12);
  private used = 0;

  constructor(readonly tokenizer: Tokenizer) {}

  get length(): number {
    return this.used;
  }

  append({ text, isFirst, isLast }: DocumentPart): void {
    const { startId, endId } = this.tokenizer;
    if (isFirst) this.push(Int32Array.of(startId));
    this.push(this.tokenizer.encode(text));
    if (isLast) this.push(Int32Array.of(endId));
  }

  /** A view of the ids from `start` to before `end`, or to the last one. */
  part(start: number, end: number): Int32Array {
    return this.ids.subarray(start, Math.min(end, this.used));
  }

  private push(ids: Int32Array): void {
    if (this.used + ids.length > this.ids.length) {
      const larger = new Int32Array(Math.max(2 * this.ids.length, this.used + ids.length));
      larger.set(this.part(0, this.used));
      this.ids = larger;
    }
    this.ids.set(ids, this.used);
    this.used += ids.length;
  }
}
