// The sentences of one request, which are translated in batches with those of other requests.

import type { TranslatedLine, TranslateOptions } from '../../translate/index.ts';

interface Settling {
  readonly resolve: (lines: TranslatedLine[]) => void;
  readonly reject: (error: unknown) => void;
}

/** An estimate: only the workers have tokenizers. */
const CHARACTERS_A_TOKEN = 3;

export class LineRequest {
  /** Whether it no longer shares batches, since one that it was in has failed. */
  isAlone = false;
  /** Estimated tokens of the sentences that are in no batch yet. */
  waitingTokens: number;
  private readonly waiting: number[];
  private readonly results: TranslatedLine[];
  private readonly listeners: (() => void)[] = [];
  private missing: number;
  private settled = false;

  constructor(
    readonly sentences: readonly string[],
    readonly options: TranslateOptions,
    private readonly settling: Settling,
  ) {
    this.waiting = sentences.map((_, place) => place).reverse();
    this.results = new Array(sentences.length);
    this.missing = sentences.length;
    this.waitingTokens = sentences.reduce((sum, _, place) => sum + this.tokensAt(place), 0);
  }

  get hasMore(): boolean {
    return this.waiting.length > 0;
  }

  get isSettled(): boolean {
    return this.settled;
  }

  /** Estimated tokens of a sentence, with its end token. */
  tokensAt(place: number): number {
    return Math.ceil(this.sentences[place].length / CHARACTERS_A_TOKEN) + 1;
  }

  /** Takes the next sentence for a batch, and returns its index; there must be one. */
  take(): number {
    const place = this.waiting.pop()!;
    this.waitingTokens -= this.tokensAt(place);
    return place;
  }

  /** Takes back the sentences of a batch that failed; from then on the request shares no batches. */
  putBack(places: readonly number[]): void {
    this.isAlone = true;
    this.waiting.push(...places.toReversed());
    for (const place of places) this.waitingTokens += this.tokensAt(place);
  }

  give(place: number, line: TranslatedLine): void {
    this.results[place] = line;
    this.missing--;
    if (this.missing > 0 || this.settled) return;
    this.settle();
    this.settling.resolve(this.results);
  }

  fail(error: unknown): void {
    if (this.settled) return;
    this.settle();
    this.settling.reject(error);
  }

  /** `listener` is called when all sentences are translated or the request has failed. */
  onSettled(listener: () => void): void {
    this.listeners.push(listener);
  }

  private settle(): void {
    this.settled = true;
    for (const listener of this.listeners) listener();
  }
}
