// The scores of one step, validated and read row by row: the model's log-probabilities, and their values after the processors.
import { HeedError } from '../base/error.ts';
import type { Processor } from './processors.ts';
import type { SentenceTask } from './sentence.ts';
import type { StepRequest, StepScores } from './step.ts';

/** One row's possible next tokens: entry i is token `tokens[i]`, or token i itself where all tokens are present. */
export interface NextTokens {
  readonly tokens: Int32Array | undefined;
  /** The model's log-probabilities. */
  readonly logProbabilities: Float32Array;
  /** The same after the processors, −Infinity if the token is not allowed; the search ranks by them. */
  readonly allowed: Float32Array;
}

/** Rounding may raise a log-probability above 0 by this much; logits are often higher. */
const roundingTolerance = 1e-3;

/** @throws HeedError for NaN or anything else that is no log-probability; `position` is the step's number from 0 */
export function checkLogProbabilities(
  logProbabilities: Float32Array,
  { position, columns }: { position: number; columns: number },
): void {
  for (let i = 0; i < logProbabilities.length; i++) {
    if (logProbabilities[i] <= roundingTolerance) continue; // NaN fails this comparison, too
    throw new HeedError(
      'decode',
      `step ${position}: the model must give log-probabilities, got ${logProbabilities[i]} in row ${Math.floor(i / columns)}; its weights may be damaged.`,
    );
  }
}

export class RowScores {
  private readonly columns: number;
  /** Source positions of the recorded attention, including padding; undefined if there is none. */
  readonly sourceLength: number | undefined;

  /**
   * @param position the step's number from 0, for the error message
   * @throws HeedError if a score is NaN or no log-probability, or the arrays have the wrong length
   */
  constructor(
    private readonly scores: StepScores,
    request: StepRequest,
    { vocabularySize, position }: { vocabularySize: number; position: number },
  ) {
    const { logProbabilities, tokens, attention } = scores;
    const rows = request.tokens.length;
    this.columns = request.top ?? vocabularySize;
    this.sourceLength = attention === undefined ? undefined : attention.length / rows;
    const expected = rows * this.columns;
    if (logProbabilities.length !== expected || (request.top !== undefined && tokens?.length !== expected))
      throw new HeedError(
        'decode',
        `step ${position}: the model must answer ${rows} × ${this.columns} scores, got ${logProbabilities.length} and ${tokens?.length ?? 'no'} tokens.`,
      );
    checkLogProbabilities(logProbabilities, { position, columns: this.columns });
  }

  /** The possible next tokens of row `row`, which has written `history`. */
  nextTokens(
    row: number,
    history: readonly number[],
    { processors, task }: { processors: readonly Processor[]; task: SentenceTask },
  ): NextTokens {
    const from = row * this.columns;
    const logProbabilities = this.scores.logProbabilities.subarray(from, from + this.columns);
    const tokens = this.scores.tokens?.subarray(from, from + this.columns);
    const allowed = logProbabilities.slice();
    if (tokens === undefined) {
      for (const process of processors) process(history, allowed);
      for (const token of task.suppressed) allowed[token] = -Infinity;
    } else {
      tokens.forEach((token, i) => {
        if (task.suppressed.has(token)) allowed[i] = -Infinity;
      });
    }
    return { tokens, logProbabilities, allowed };
  }

  /** A copy of the row's attention to its source, without padding; undefined if not recorded. */
  attention(row: number, sourceLength: number): Float32Array | undefined {
    const from = row * (this.sourceLength ?? 0);
    return this.scores.attention?.slice(from, from + sourceLength);
  }
}

export function tokenAt(next: NextTokens, entry: number): number {
  return next.tokens === undefined ? entry : next.tokens[entry];
}

/** Orders entries: the more probable first, ties by lower id. */
export function byProbability(next: NextTokens): (a: number, b: number) => number {
  return (a, b) => next.allowed[b] - next.allowed[a] || tokenAt(next, a) - tokenAt(next, b);
}

/** The entries of the allowed tokens. */
export function allowedEntries({ allowed }: NextTokens): number[] {
  const entries: number[] = [];
  for (let entry = 0; entry < allowed.length; entry++) if (allowed[entry] > -Infinity) entries.push(entry);
  return entries;
}

/** The entries of the `count` best allowed tokens, best first; fewer if fewer are allowed. Efficient for a small `count`. */
export function bestEntries(next: NextTokens, count: number): number[] {
  const { allowed } = next;
  const order = byProbability(next);
  const best: number[] = [];
  for (let entry = 0; entry < allowed.length; entry++) {
    const cannotEnter = best.length === count && allowed[entry] < allowed[best[count - 1]];
    if (cannotEnter || allowed[entry] === -Infinity) continue;
    let place = best.length;
    while (place > 0 && order(entry, best[place - 1]) < 0) place--;
    best.splice(place, 0, entry);
    if (best.length > count) best.pop();
  }
  return best;
}

/** How many best tokens a step must deliver so that `count` allowed ones are among them; undefined if it takes the whole row. */
export function topFor(task: SentenceTask, processors: readonly Processor[], count: number): number | undefined {
  const top = count + task.suppressed.size;
  return processors.length === 0 && top < task.vocabularySize ? top : undefined;
}
