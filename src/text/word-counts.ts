// How often each distinct word of a corpus occurs, in bounded memory.

/** Counts words one by one. */
export class WordCounts {
  private readonly map = new Map<string, number>();
  private rare = 1;

  /**
   * @param maxWords how many distinct words are held at most. Beyond that the rarest are forgotten, first those that came
   * once, then twice, and so on, until half the room is free: a corpus of any size fits, and what is frequent survives.
   */
  constructor(private readonly maxWords = 1_000_000) {}

  add(word: string): void {
    const count = this.map.get(word);
    if (count !== undefined) {
      this.map.set(word, count + 1);
      return;
    }
    if (this.map.size >= this.maxWords) this.forgetRareWords();
    this.map.set(detached(word), 1);
  }

  get counts(): ReadonlyMap<string, number> {
    return this.map;
  }

  private forgetRareWords(): void {
    for (; this.map.size > this.maxWords / 2; this.rare++)
      for (const [word, count] of this.map) if (count <= this.rare) this.map.delete(word);
  }
}

/** A copy that does not keep the line alive which the word was cut out of. */
export function detached(word: string): string {
  return [...word].join('');
}
