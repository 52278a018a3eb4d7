// Where the tags of a run go in its output: each once, around one stretch of units, nested as they were.

import type { Box } from './run.ts';
import { overlap, type Span } from './segmenter.ts';
import type { Output, PartUnits, Unit } from './units.ts';

/** A box and the units it stands around; `start === end` if it stands between two. */
export interface PlacedBox extends Span {
  readonly box: Box;
  readonly children: readonly PlacedBox[];
}

/**
 * Each box stands around the stretch of units that belong to it most: it gains the weight of each unit that came from the
 * box and loses that of each that did not, so that one stray word neither stretches a tag over the sentence nor splits it.
 * Boxes with the clearest stretch choose first; no two overlap. Source order of siblings may change, as that of words does.
 */
export function layOut(boxes: readonly Box[], output: Output, within: Span): PlacedBox[] {
  const taken = new Set<number>();
  const wishes = boxes.map((box) => ({ box, window: windowOf(box, output.parts, within) }));
  const scored = wishes.map((wish) => ({ ...wish, gain: bestStretch(output.units, { ...wish, taken }).gain }));
  const placed = scored
    .sort((a, b) => b.gain - a.gain)
    .map(({ box, window }) => {
      const stretch = stretchFor(output.units, { box, window, taken });
      for (let i = stretch.start; i < stretch.end; i++) taken.add(i);
      return { box, start: stretch.start, end: stretch.end };
    });
  return placed
    .map(({ box, ...span }) => ({ ...outOf(placed, span), box, children: layOut(box.children, output, span) }))
    .sort((a, b) => a.start - b.start || a.end - b.end || a.box.start - b.box.start);
}

interface Wish {
  readonly box: Box;
  /** The units it may choose from. */
  readonly window: Span;
  /** Units that other boxes have chosen. */
  readonly taken: ReadonlySet<number>;
}

/** The units of all parts that the box covers, wholly or not. */
function windowOf(box: Box, parts: readonly PartUnits[], within: Span): Span {
  const covered = parts.filter((part) => overlap(part, box) > 0);
  const start = covered[0]?.units.start ?? within.start;
  const end = covered.at(-1)?.units.end ?? within.end;
  return { start: clamp(start, within), end: clamp(end, within) };
}

function stretchFor(units: readonly Unit[], wish: Wish): Span {
  const { start, end, gain } = bestStretch(units, wish);
  return gain > 0 ? { start, end } : nearest(units, wish);
}

/** The stretch of greatest gain, of equals the first and shortest (Kadane's algorithm). */
function bestStretch(units: readonly Unit[], { box, window, taken }: Wish): Span & { gain: number } {
  let best = { start: window.start, end: window.start, gain: 0 };
  let [start, gain] = [window.start, 0];
  for (let i = window.start; i < window.end; i++) {
    if (gain <= 0) [start, gain] = [i, 0];
    gain += taken.has(i) ? Number.NEGATIVE_INFINITY : units[i].weight * (comesFrom(units[i], box) ? 1 : -1);
    if (gain > best.gain) best = { start, end: i + 1, gain };
  }
  return best;
}

/** At least half of it lies in the box. */
function comesFrom({ from }: Unit, box: Box): boolean {
  return 2 * overlap(from, box) >= from.end - from.start;
}

/**
 * A box that no unit came from: tags stand around the free unit that came from nearest by, since an empty link cannot be
 * clicked; kept text, which replaces what it stands around, goes before that unit or behind it.
 */
function nearest(units: readonly Unit[], { box, window, taken }: Wish): Span {
  let best: { place: number; distance: number } | undefined;
  for (let i = window.start; i < window.end; i++) {
    if (taken.has(i) || !units[i].isTranslated) continue;
    const distance = distanceOf(units[i].from, box);
    if (best === undefined || distance < best.distance) best = { place: i, distance };
  }
  if (best === undefined) return { start: window.start, end: window.start };
  const { place } = best;
  if (box.markup === undefined) return { start: place, end: place + 1 };
  const gap = units[place].from.start < box.start ? place + 1 : place;
  return { start: gap, end: gap };
}

function distanceOf(a: Span, b: Span): number {
  return Math.max(0, a.start - b.end, b.start - a.end);
}

/** A place between two units that lies inside another box moves to its end. */
function outOf(others: readonly Span[], span: Span): Span {
  if (span.start < span.end) return span;
  const around = others.find(({ start, end }) => start < span.start && span.start < end);
  return around === undefined ? span : { start: around.end, end: around.end };
}

function clamp(place: number, { start, end }: Span): number {
  return Math.min(Math.max(place, start), end);
}
