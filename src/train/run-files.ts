// The files of a run that others than its own process look at, all in the model's folder.

export interface RunFiles {
  /** The recipe, the tokenizers and what the run learns from. */
  readonly run: string;
  /** Training events, one a line; a resumed run cuts off what its saved state does not know of. */
  readonly events: string;
  /** Speed records, one a line; of two for one step the later holds. */
  readonly speed: string;
  /** Which process trains; there only while one does, or if it was killed. */
  readonly process: string;
  /** Asks that process to save and stop, by being there. */
  readonly stop: string;
}

export function runFiles(folder: string): RunFiles {
  const training = `${folder}/training`;
  return {
    run: `${training}/run.json`,
    events: `${training}/events.jsonl`,
    speed: `${training}/speed.jsonl`,
    process: `${training}/process.json`,
    stop: `${training}/stop`,
  };
}
