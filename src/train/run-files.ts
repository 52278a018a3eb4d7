// The files of a run that other processes read or write, all in the model's folder.

export interface RunFiles {
  /** The recipe, the tokenizers and what the run learns from. */
  readonly run: string;
  /** Training events, one a line; a resumed run removes those that are later than its saved state. */
  readonly events: string;
  /** Speed records, one a line; of two for the same step the later counts. */
  readonly speed: string;
  /** Which process trains. Exists only while one does, or if it was killed. */
  readonly process: string;
  /** Its existence asks that process to save and stop. */
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
