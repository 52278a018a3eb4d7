// The sentences of one request on their way through the batches that it shares with others.

import type { TranslatedLine, TranslateOptions } from '../../translate/index.ts';

interface Settling {
  readonly resolve: (lines: TranslatedLine[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Characters of a token, about; only a worker can count them. */
const CHARACTERS_A_TOKEN = 3;

export class LineRequest {
  /** Whether it shares batches no more, since one that it was in has failed. */
  isAlone = false;
  /** Tokens, about, of the sentences that are in no batch yet. */
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

  /** Tokens of a sentence, about; its end counted. */
  tokensAt(place: number): number {
    return Math.ceil(this.sentences[place].length / CHARACTERS_A_TOKEN) + 1;
  }

  /** The place of the next sentence, which goes into a batch; there must be one. */
  take(): number {
    const place = this.waiting.pop()!;
    this.waitingTokens -= this.tokensAt(place);
    return place;
  }

  /** Sentences of a batch that failed; from now on the request shares none. */
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
