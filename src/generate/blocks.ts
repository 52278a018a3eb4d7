// Blocks of equal size in an array, of which some are kept.

export interface BlocksOptions {
  /** Numbers in a block. */
  readonly size: number;
  /** Blocks that the places are among. */
  readonly blocks: number;
  /** How often such blocks follow; the same places are kept of all. */
  readonly times: number;
}

/** Moves some of equal blocks to the front. @param places ascending */
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

/** Neighbours together: from … to − 1. */
function runsIn(places: readonly number[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const place of places) {
    const last = runs.at(-1);
    if (last?.to === place) last.to++;
    else runs.push({ from: place, to: place + 1 });
  }
  return runs;
}
