// The best complete hypotheses of one sentence so far. They are separate from the beam and do not occupy it.
import type { HypothesisResult } from './hypothesis.ts';

/** The property in which distinct hypotheses must differ, such as their text. */
export type DistinctBy = (tokens: readonly number[]) => string;

export class NBest {
  private readonly list: HypothesisResult[] = [];

  /** @param distinctBy if given, only the best of hypotheses with equal values is kept */
  constructor(
    private readonly capacity: number,
    private readonly distinctBy?: DistinctBy | undefined,
  ) {}

  add(result: HypothesisResult): void {
    const { list, distinctBy } = this;
    if (distinctBy !== undefined) {
      const key = distinctBy(result.tokens);
      const twin = list.findIndex((other) => distinctBy(other.tokens) === key);
      if (twin >= 0 && !isBetter(result, list[twin])) return;
      if (twin >= 0) list.splice(twin, 1);
    }
    const worse = list.findIndex((other) => isBetter(result, other));
    list.splice(worse < 0 ? list.length : worse, 0, result);
    if (list.length > this.capacity) list.pop();
  }

  /** Best first. */
  get results(): readonly HypothesisResult[] {
    return this.list;
  }

  /** The score that a new result must exceed; −Infinity while there is room. */
  get threshold(): number {
    return this.list.length < this.capacity ? -Infinity : this.list[this.capacity - 1].score;
  }
}

/** Fewer missing phrases first, then higher scores; ties keep the order of arrival. */
function isBetter(a: HypothesisResult, b: HypothesisResult): boolean {
  const missing = a.missingPhrases.length - b.missingPhrases.length;
  return missing < 0 || (missing === 0 && a.score > b.score);
}
