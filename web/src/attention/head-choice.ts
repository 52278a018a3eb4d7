// Which heads are on: a click switches one, a double click shows one alone, and another brings all back.

/** Switches one head on or off. */
export function toggled(heads: readonly number[], head: number): number[] {
  return heads.includes(head) ? heads.filter((other) => other !== head) : [...heads, head].sort((a, b) => a - b);
}

/** One head alone; all of them where it is alone already. */
export function isolated(heads: readonly number[], head: number, all: number): number[] {
  const isAlone = heads.length === 1 && heads[0] === head;
  return isAlone ? Array.from({ length: all }, (_, i) => i) : [head];
}
