// Lexically constrained beam search by dynamic beam allocation (Post & Vilar 2018). Hypotheses with the
// same number of phrase tokens form a bank, and the beam is distributed over the banks, so that hypotheses that have begun an
// improbable phrase are not pruned in favour of those that have not.
import { type Candidate, candidateAt, compareCandidates, type Hypothesis } from './hypothesis.ts';
import { nextPhraseTokens, writtenPhraseTokens } from './phrases.ts';
import type { NextTokens } from './scores.ts';
import type { SentenceTask } from './sentence.ts';

type Phrases = readonly (readonly number[])[];

/**
 * The continuations of one row that begin or continue a forced phrase, however improbable, if the rules allow them.
 * Such a row always has all tokens, since a processor checks END: entry and token are the same.
 */
export function phraseCandidates(parent: Hypothesis, row: number, next: NextTokens, phrases: Phrases): Candidate[] {
  const allowed = [...nextPhraseTokens(parent.tokens, phrases)].filter((token) => next.allowed[token] > -Infinity);
  return allowed.map((token) => candidateAt(parent, row, next, token));
}

/**
 * Selects from the candidates of all rows: `ended` are those whose END is among the best `beam` of the complete bank;
 * `continued` are taken from the banks in turn, the fullest bank first, best candidate first. The fullest bank always
 * is represented, and one of its candidates is always a phrase's next token: so the phrases are written within as many
 * steps as they have tokens, if no rule forbids one.
 */
export function selectByBank(candidates: readonly Candidate[], task: SentenceTask) {
  const { endId, forcedPhrases, options } = task;
  const banks = new Map<number, Candidate[]>();
  for (const candidate of [...candidates].sort(compareCandidates)) {
    const tokens = candidate.token === endId ? candidate.parent.tokens : [...candidate.parent.tokens, candidate.token];
    const written = writtenPhraseTokens(tokens, forcedPhrases);
    const bank = banks.get(written);
    if (bank === undefined) banks.set(written, [candidate]);
    else bank.push(candidate);
  }
  const isEnd = (candidate: Candidate): boolean => candidate.token === endId;
  // END is forbidden in rows that lack a phrase, so all of these are in the complete bank.
  const ended = [...banks.values()].flatMap((bank) => bank.slice(0, options.beam).filter(isEnd));
  const fullestFirst = [...banks].sort(([a], [b]) => b - a).map(([, bank]) => bank.filter((c) => !isEnd(c)));
  return { ended, continued: deal(fullestFirst, options.beam).sort(compareCandidates) };
}

/** The first of each bank, then the second of each, and so on, until there are `count`: [[a, b], [c]] gives a, c, b. */
function deal(banks: readonly (readonly Candidate[])[], count: number): Candidate[] {
  const rounds = Math.max(0, ...banks.map((bank) => bank.length));
  const inTurn = Array.from({ length: rounds }, (_, round) => banks.flatMap((bank) => bank.slice(round, round + 1)));
  return inTurn.flat().slice(0, count);
}
