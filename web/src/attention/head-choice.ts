// Which heads are shown: a click toggles one, a double click shows it alone, and another shows all again.

/** Toggles one head. */
export function toggled(heads: readonly number[], head: number): number[] {
  return heads.includes(head) ? heads.filter((other) => other !== head) : [...heads, head].sort((a, b) => a - b);
}

/** One head alone; all heads if it is alone already. */
export function isolated(heads: readonly number[], head: number, all: number): number[] {
  const isAlone = heads.length === 1 && heads[0] === head;
  return isAlone ? Array.from({ length: all }, (_, i) => i) : [head];
}
