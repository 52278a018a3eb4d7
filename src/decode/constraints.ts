// Lexically constrained beam search by dynamic beam allocation (Post & Vilar 2018). Hypotheses that have written equally
// many phrase tokens form a bank; the beam's places go round the banks, so that those which have begun a phrase, and
// paid for it, are not crowded out by those which have not.
import { type Candidate, candidateAt, compareCandidates, type Hypothesis } from './hypothesis.ts';
import { nextPhraseTokens, writtenPhraseTokens } from './phrases.ts';
import type { NextTokens } from './scores.ts';
import type { SentenceTask } from './sentence.ts';

type Phrases = readonly (readonly number[])[];

/**
 * The continuations of one row that take a forced phrase further, however improbable, as far as the rules allow them.
 * Such a row is always a whole one, since a processor watches over END: entry and token are the same.
 */
export function phraseCandidates(parent: Hypothesis, row: number, next: NextTokens, phrases: Phrases): Candidate[] {
  const allowed = [...nextPhraseTokens(parent.tokens, phrases)].filter((token) => next.allowed[token] > -Infinity);
  return allowed.map((token) => candidateAt(parent, row, next, token));
}

/**
 * Chooses from the candidates of all rows: `ended` are those whose END is among the best `beam` of the complete bank;
 * `continued` are dealt from the banks in turn, the fullest bank first, best candidate first. The fullest bank always
 * gets a place, and one of its candidates is always a phrase's next token: so the phrases are written within as many
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
  // END is forbidden to rows that lack a phrase: all ends are in the complete bank.
  const ended = [...banks.values()].flatMap((bank) => bank.slice(0, options.beam).filter(isEnd));
  const fullestFirst = [...banks].sort(([a], [b]) => b - a).map(([, bank]) => bank.filter((c) => !isEnd(c)));
  return { ended, continued: deal(fullestFirst, options.beam).sort(compareCandidates) };
}

/** The first of each bank, then the second of each, and so on, until `count` are dealt: [[a, b], [c]] gives a, c, b. */
function deal(banks: readonly (readonly Candidate[])[], count: number): Candidate[] {
  const rounds = Math.max(0, ...banks.map((bank) => bank.length));
  const inTurn = Array.from({ length: rounds }, (_, round) => banks.flatMap((bank) => bank.slice(round, round + 1)));
  return inTurn.flat().slice(0, count);
}
