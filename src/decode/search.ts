// The entry point: finds the best hypotheses of each sentence.
import { HeedError } from '../base/error.ts';
import { Random } from '../base/random.ts';
import { AlternativesSearch } from './alternatives.ts';
import { BeamSearch } from './beam-search.ts';
import type { SearchListener } from './events.ts';
import type { HypothesisResult } from './hypothesis.ts';
import type { DistinctBy } from './n-best.ts';
import { type DecodeOptions, type DecodeOptionsInput, decodeOptions } from './options.ts';
import { PathSearch, type TokenEvent } from './path-search.ts';
import { runSearches, type SentenceSearch } from './run-searches.ts';
import { mostProbable, randomSampler } from './samplers.ts';
import { type SentenceInput, type SentenceTask, sentenceTasks } from './sentence.ts';
import type { StepModel } from './step.ts';

/** Settings of the calling program, not of its user. */
export interface SearchControl {
  /** Ends the search within one step; `search` then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each token as soon as it is final. Greedy search and sampling only. */
  readonly onToken?: ((event: TokenEvent) => void) | undefined;
  /** Ids beside the model's START and padding that are never emitted: the vocabulary's other control tokens. Default: none. */
  readonly controlTokens?: readonly number[] | undefined;
  /** The property in which hypotheses must differ with the option `distinct`, such as their text. Default: their ids. */
  readonly distinctBy?: DistinctBy | undefined;
  /** Called with every event of every search. */
  readonly onEvent?: SearchListener | undefined;
}

export interface SentenceResult {
  /** Best first; at least one, at most `nBest`. */
  readonly hypotheses: readonly HypothesisResult[];
}

/**
 * Decodes a batch. Results are in the order of the sentences and do not depend on how sentences are batched.
 *
 * @param model started on the sources of `sentences`, in the same order
 * @throws HeedError for invalid options or sentences, and for a model that gives NaN
 */
export async function search(
  model: StepModel,
  sentences: readonly SentenceInput[],
  options: DecodeOptionsInput = {},
  control: SearchControl = {},
): Promise<SentenceResult[]> {
  const resolved = decodeOptions(options);
  const tasks = sentenceTasks(model, sentences, resolved, control.controlTokens ?? []);
  const searches = tasks.map((task) => searchFor(task, control));
  await runSearches(model, searches, { width: widthOf(resolved), signal: control.signal });
  for (const { task, results } of searches) control.onEvent?.({ kind: 'results', results }, task.sentence);
  return searches.map(({ results }) => ({ hypotheses: results }));
}

/** Rows per sentence. */
function widthOf({ sampling, alternatives, beam, nBest }: DecodeOptions): number {
  return sampling !== undefined ? nBest : alternatives ? nBest * beam : beam;
}

type Search = SentenceSearch & { readonly results: readonly HypothesisResult[] };

function searchFor(task: SentenceTask, control: SearchControl): Search {
  const { sampling, alternatives, beam, nBest, distinct } = task.options;
  const distinctBy = distinct ? (control.distinctBy ?? ((tokens: readonly number[]) => tokens.join(' '))) : undefined;
  const { onToken, onEvent } = control;
  if (sampling !== undefined) {
    const randoms = Array.from({ length: nBest }, (_, sample) =>
      Random.of(sampling.seed, 'sample', task.number, sample),
    );
    const samplers = randoms.map((random) => randomSampler(sampling, random));
    return new PathSearch(task, { samplers, choices: sampling.topK || undefined, onToken, onEvent, distinctBy });
  }
  if (beam === 1 && !alternatives && task.forcedPhrases.length === 0)
    return new PathSearch(task, { samplers: [mostProbable], choices: 1, onToken, onEvent });
  if (onToken !== undefined)
    throw new HeedError(
      'decode',
      'onToken needs greedy search or sampling, since a beam revises its tokens; set beam 1.',
    );
  return alternatives
    ? new AlternativesSearch(task, { distinctBy, onEvent })
    : new BeamSearch(task, { nBest, distinctBy, onEvent });
}
