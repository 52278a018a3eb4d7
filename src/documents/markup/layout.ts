// Places the tags of a run in its output: each once, around one span of units, with the same nesting.

import { overlap, overlapping, type Span } from '../spans.ts';
import type { Box } from './run.ts';
import type { Output, PartUnits, Unit } from './units.ts';

/** A box and the units that it encloses; `start === end` if it is between two units. */
export interface PlacedBox extends Span {
  readonly box: Box;
  readonly children: readonly PlacedBox[];
}

/**
 * Each box is placed around the span of units with the highest score: the weights of the units that came from the box,
 * minus the weights of the others, so that one stray word neither extends a tag over the sentence nor splits it. Boxes
 * with the highest score are placed first; no two overlap. The order of siblings may change, as that of words does.
 */
export function layOut(boxes: readonly Box[], output: Output, within: Span): PlacedBox[] {
  const taken = new Map<number, Span>();
  const candidates = boxes.map((box) => ({ box, window: windowOf(box, output.parts, within) }));
  const scored = candidates.map((candidate) => ({
    ...candidate,
    gain: bestSpan(output.units, { ...candidate, taken }).gain,
  }));
  const placed = scored
    .sort((a, b) => b.gain - a.gain)
    .map(({ box, window }) => {
      const span = spanFor(output.units, { box, window, taken });
      for (let i = span.start; i < span.end; i++) taken.set(i, span);
      return { box, start: span.start, end: span.end };
    });
  return placed
    .map(({ box, ...span }) => {
      const children = box.kind === 'tags' ? layOut(box.children, output, span) : [];
      return { ...outOf(taken, span), box, children };
    })
    .sort((a, b) => a.start - b.start || a.end - b.end || a.box.start - b.box.start);
}

interface Candidate {
  readonly box: Box;
  /** The units that are available to it. */
  readonly window: Span;
  /** Whether other boxes have taken a unit, by unit. */
  readonly taken: ReadonlyMap<number, Span>;
}

/** The units of all parts that the box covers, wholly or in part. */
function windowOf(box: Box, parts: readonly PartUnits[], within: Span): Span {
  const covered = overlapping(parts, box);
  const start = covered[0]?.units.start ?? within.start;
  const end = covered.at(-1)?.units.end ?? within.end;
  return { start: clamp(start, within), end: clamp(end, within) };
}

function spanFor(units: readonly Unit[], candidate: Candidate): Span {
  const copy = candidate.box.kind === 'kept' ? copyOf(units, candidate) : undefined;
  if (copy !== undefined) return copy;
  const { start, end, gain } = bestSpan(units, candidate);
  if (gain <= 0) return nearest(units, candidate);
  return candidate.box.kind === 'kept' ? withoutStop(units, { start, end }) : { start, end };
}

/** A full stop at the end of the units that kept text replaces belongs to the sentence. */
function withoutStop(units: readonly Unit[], { start, end }: Span): Span {
  let last = end;
  while (last > start && units[last - 1].kind === 'translated' && sentenceSign.test(units[last - 1].text)) last--;
  return { start, end: last };
}

const sentenceSign = /^[.,;:!?…。，；：！？]$/u;

/** Kept text that the translation already contains is placed there. */
function copyOf(units: readonly Unit[], { box, window, taken }: Candidate): Span | undefined {
  for (let i = window.start; i < window.end; i++)
    if (units[i].kind === 'copied' && overlap(units[i].from, box) > 0 && !taken.has(i)) return { start: i, end: i + 1 };
  return undefined;
}

/** The span with the highest score, of equals the first and shortest (Kadane's algorithm). */
function bestSpan(units: readonly Unit[], { box, window, taken }: Candidate): Span & { gain: number } {
  let best = { start: window.start, end: window.start, gain: 0 };
  let [start, gain] = [window.start, 0];
  for (let i = window.start; i < window.end; i++) {
    if (gain <= 0) [start, gain] = [i, 0];
    gain += taken.has(i) ? Number.NEGATIVE_INFINITY : gainOf(units[i], box);
    if (gain > best.gain) best = { start, end: i + 1, gain };
  }
  return best;
}

/** A kept box replaces its units, so it must not contain words from elsewhere. */
function gainOf(unit: Unit, box: Box): number {
  if (comesFrom(unit, box)) return unit.weight;
  return box.kind === 'tags' ? -unit.weight : Number.NEGATIVE_INFINITY;
}

/** At least half of it is in the box. */
function comesFrom({ from }: Unit, box: Box): boolean {
  return 2 * overlap(from, box) >= from.end - from.start;
}

/**
 * Places a box that no unit came from: tags around the free word with the nearest source, since an empty link cannot be
 * clicked; kept text and marks before or after the nearest unit. Of several units that came from one word before the
 * box, the last is nearest.
 */
function nearest(units: readonly Unit[], { box, window, taken }: Candidate): Span {
  let best: { place: number; distance: number } | undefined;
  for (let i = window.start; i < window.end; i++) {
    const unit = units[i];
    const isFree = box.kind === 'tags' ? unit.kind === 'translated' && !taken.has(i) : unit.kind !== 'rest';
    if (!isFree) continue;
    const distance = distanceOf(unit.from, box) + (box.kind === 'tags' && !unit.isWord ? farAway : 0);
    const isLater = best !== undefined && unit.isWord && isInFront(unit, box) && isSame(unit, units[best.place]);
    if (best === undefined || distance < best.distance || isLater) best = { place: i, distance };
  }
  if (best === undefined) return { start: window.start, end: window.start };
  const { place } = best;
  if (box.kind === 'tags') return { start: place, end: place + 1 };
  const gap = isInFront(units[place], box) ? place + 1 : place;
  return { start: gap, end: gap };
}

/** Larger than any distance in the run. */
const farAway = 1e9;

function isSame({ from: a }: Unit, { from: b }: Unit): boolean {
  return a.start === b.start && a.end === b.end;
}

function isInFront({ from }: Unit, box: Box): boolean {
  return from.start < box.start;
}

function distanceOf(a: Span, b: Span): number {
  return Math.max(0, a.start - b.end, b.start - a.end);
}

/** A position between two units that is inside another box moves to the end of that box. */
function outOf(taken: Candidate['taken'], { start, end }: Span): Span {
  const around = start === end ? taken.get(start) : undefined;
  return around !== undefined && around.start < start ? { start: around.end, end: around.end } : { start, end };
}

function clamp(place: number, { start, end }: Span): number {
  return Math.min(Math.max(place, start), end);
}
