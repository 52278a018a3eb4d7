// Compacts an array of blocks of equal size in place.

export interface BlocksOptions {
  /** Numbers per block. */
  readonly size: number;
  /** Blocks per row of blocks. */
  readonly blocks: number;
  /** Rows of blocks; the same indices are retained in each. */
  readonly times: number;
}

/** Moves the retained blocks to the front. @param places their indices, ascending */
export function keepBlocks(
  data: Float32Array,
  places: readonly number[],
  { size, blocks, times }: BlocksOptions,
): void {
  const runs = runsIn(places);
  let end = 0;
  for (let first = 0; first < times * blocks; first += blocks) {
    for (const { from, to } of runs) {
      const [start, stop] = [(first + from) * size, (first + to) * size];
      if (start !== end) data.copyWithin(end, start, stop);
      end += stop - start;
    }
  }
}

/** Groups neighbouring indices into ranges from … to − 1. */
function runsIn(places: readonly number[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const place of places) {
    const last = runs.at(-1);
    if (last?.to === place) last.to++;
    else runs.push({ from: place, to: place + 1 });
  }
  return runs;
}
