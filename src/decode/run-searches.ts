// The loop of all decoding: collects the live rows of every sentence, steps the model, gives each sentence its scores, and
// drops finished sentences. Greedy search, beam search and sampling differ only in their SentenceSearch.
import { HeedError } from '../base/error.ts';
import type { Hypothesis } from './hypothesis.ts';
import { RowScores } from './scores.ts';
import { type SearchHint, takesHints } from './search-hint.ts';
import type { SentenceTask } from './sentence.ts';
import type { StepModel, StepRequest } from './step.ts';

/** The search of one sentence. It sees only its own rows, so results do not depend on the rest of the batch. */
export interface SentenceSearch {
  readonly task: SentenceTask;
  /** The live hypotheses that the next step continues, at most the loop's `width`, all of one length; none: the search has ended. */
  readonly live: readonly Hypothesis[];
  /** How many best tokens of each row the next step must give; undefined for all. */
  readonly top: number | undefined;
  /** The requests to expect if the batch has only this sentence, with the given width; undefined if they cannot be predicted. */
  hint(width: number): SearchHint | undefined;
  /** Advances one position with the scores of `live`, in the rows from `firstRow` on. */
  advance(scores: RowScores, firstRow: number): void;
}

/**
 * Runs the searches to their end.
 *
 * @throws HeedError for scores that are no log-probabilities, or lack the attention that an option needs;
 * the signal's reason once it aborts, at the latest when the step under way is done
 */
export async function runSearches(
  model: StepModel,
  searches: readonly SentenceSearch[],
  { width, signal }: { width: number; signal?: AbortSignal | undefined },
): Promise<void> {
  let active = searches;
  for (let position = 0; active.length > 0; position++) {
    signal?.throwIfAborted();
    const request = stepRequest(active, width, model.startId);
    const [only, ...others] = active;
    if (takesHints(model)) model.expect(others.length === 0 ? () => only.hint(width) : undefined);
    const answer = await model.step(request);
    signal?.throwIfAborted();
    const scores = new RowScores(answer, request, { vocabularySize: model.vocabularySize, position });
    checkAttention(active, scores);
    for (const [i, search] of active.entries()) search.advance(scores, i * width);
    active = active.filter((search) => search.live.length > 0);
  }
}

function stepRequest(active: readonly SentenceSearch[], width: number, startId: number): StepRequest {
  const rows: Hypothesis[] = [];
  for (const { live } of active) {
    // A search with fewer live hypotheses than rows repeats its first one; nobody reads those scores.
    for (let i = 0; i < width; i++) rows.push(live[i] ?? live[0]);
  }
  const tops = active.map((search) => search.top ?? Infinity);
  const top = Math.max(...tops);
  return {
    sentences: Int32Array.from(active, (search) => search.task.sentence),
    width,
    tokens: Int32Array.from(rows, (row) => row.tokens.at(-1) ?? startId),
    parents: Int32Array.from(rows, (row) => row.row),
    top: top === Infinity ? undefined : top,
  };
}

function checkAttention(active: readonly SentenceSearch[], { sourceLength }: RowScores): void {
  for (const { task } of active) {
    if (sourceLength === undefined && task.options.coveragePenalty > 0)
      throw new HeedError(
        'decode',
        'coveragePenalty needs recorded attention; have the model record it, or set it to 0.',
      );
    if (sourceLength !== undefined && task.sourceLength > sourceLength)
      throw new HeedError(
        'decode',
        `sentences[${task.sentence}].sourceLength must be within the model's ${sourceLength} source positions, got ${task.sourceLength}.`,
      );
  }
}
