// The search for phrase shifts in TER: greedily moves the phrase that lowers the edit distance most, until none does.
// Order of trial, limits and ties follow sacreBLEU (which follows Tercom), since they decide the score.

import { type Alignment, BeamEditDistance } from './beam-edit-distance.ts';

const MAX_SHIFT_WORDS = 10;
const MAX_SHIFT_DISTANCE = 50;
const MAX_CANDIDATES = 1000;

/** The hypothesis' words from `start` on move to before word `target`. */
interface Shift {
  readonly start: number;
  readonly length: number;
  readonly target: number;
  /** By how much it lowers the edit distance. */
  readonly gain: number;
}

/** Words that stand in the hypothesis from `start` on and in the reference from `referenceStart` on. */
interface Phrase {
  readonly start: number;
  readonly referenceStart: number;
  readonly length: number;
}

/** The number of edits and shifts that turn the hypothesis into the reference, both as words. */
export function countEdits(hypothesis: readonly string[], reference: readonly string[]): number {
  if (reference.length === 0) return hypothesis.length;
  const numbers = new Map<string, number>();
  let words = toNumbers(hypothesis, numbers);
  const referenceNumbers = toNumbers(reference, numbers);
  const distance = new BeamEditDistance(words.length, referenceNumbers);
  let shifts = 0;
  let candidates = 0;
  while (true) {
    const edits = shifts + distance.measure(words);
    const search = findBestShift(words, referenceNumbers, distance, MAX_CANDIDATES - candidates);
    candidates += search.candidates;
    // What a search finds before it reaches the limit is thrown away.
    if (candidates >= MAX_CANDIDATES || search.best === undefined || search.best.gain <= 0) return edits;
    words = moveWords(words, search.best.start, search.best.length, search.best.target);
    shifts++;
  }
}

/** Equal words get equal numbers, which compare faster. */
function toNumbers(words: readonly string[], numbers: Map<string, number>): number[] {
  return words.map((word) => {
    const number = numbers.get(word) ?? numbers.size;
    numbers.set(word, number);
    return number;
  });
}

/** Tries the shifts of all phrases until `maxCandidates` have been tried; `distance` must have measured `words` last. */
function findBestShift(
  words: readonly number[],
  reference: readonly number[],
  distance: BeamEditDistance,
  maxCandidates: number,
): { best: Shift | undefined; candidates: number } {
  const alignment = distance.align();
  let best: Shift | undefined;
  let candidates = 0;
  for (const phrase of sharedPhrases(words, reference)) {
    if (!isMisplaced(phrase, alignment)) continue;
    const { start, length } = phrase;
    for (const target of shiftTargets(phrase, alignment)) {
      const moved = moveWords(words, start, length, target);
      const shift = { start, length, target, gain: distance.gainOf(moved, Math.min(start, target)) };
      if (best === undefined || isBetter(shift, best)) best = shift;
      candidates++;
    }
    if (candidates >= maxCandidates) break;
  }
  return { best, candidates };
}

/** Every prefix of every phrase that both texts share, no longer and no further apart than the limits. */
function* sharedPhrases(words: readonly number[], reference: readonly number[]): Generator<Phrase> {
  for (let start = 0; start < words.length; start++) {
    const last = Math.min(reference.length - 1, start + MAX_SHIFT_DISTANCE);
    for (let referenceStart = Math.max(0, start - MAX_SHIFT_DISTANCE); referenceStart <= last; referenceStart++) {
      const longest = Math.min(MAX_SHIFT_WORDS, words.length - start, reference.length - referenceStart);
      let length = 0;
      while (length < longest && words[start + length] === reference[referenceStart + length]) {
        length++;
        yield { start, referenceStart, length };
      }
    }
  }
}

/** Moving pays only if words are wrong at both places and the phrase is not aligned into itself. */
function isMisplaced({ start, referenceStart, length }: Phrase, alignment: Alignment): boolean {
  const { hypothesisIndexes, hypothesisErrors, referenceErrors } = alignment;
  const alignedTo = hypothesisIndexes[referenceStart];
  return (
    hypothesisErrors.slice(start, start + length).includes(true) &&
    referenceErrors.slice(referenceStart, referenceStart + length).includes(true) &&
    (alignedTo < start || alignedTo >= start + length)
  );
}

/** Behind the word that the reference has before the phrase, then behind each word the phrase's own words are aligned to. */
function shiftTargets({ referenceStart, length }: Phrase, { hypothesisIndexes }: Alignment): number[] {
  const targets: number[] = [];
  for (let position = referenceStart - 1; position < referenceStart + length; position++) {
    const target = position === -1 ? 0 : hypothesisIndexes[position] + 1;
    if (target !== targets.at(-1)) targets.push(target);
  }
  return targets;
}

/** More gain first, then the longer phrase, then the earlier one, then the earlier target. */
function isBetter(a: Shift, b: Shift): boolean {
  if (a.gain !== b.gain) return a.gain > b.gain;
  if (a.length !== b.length) return a.length > b.length;
  if (a.start !== b.start) return a.start < b.start;
  return a.target < b.target;
}

/** A target inside the phrase, or just behind it, counts from the phrase's new place: words `target` … behind it go before. */
function moveWords(words: readonly number[], start: number, length: number, target: number): number[] {
  const end = start + length;
  const phrase = words.slice(start, end);
  if (target < start) return [...words.slice(0, target), ...phrase, ...words.slice(target, start), ...words.slice(end)];
  const before = target > end ? target : target + length;
  return [...words.slice(0, start), ...words.slice(end, before), ...phrase, ...words.slice(before)];
}
