// The state of the attention view in the URL: #/attention?text=…&attention=cross&layer=5&heads=1,3&word=9.
// Layers and heads count from 1, as people do; words from 0, as positions do.

import type { TraceAttention } from '../../../src/translate/index.ts';

export const kinds = ['encoder', 'decoder', 'cross'] as const satisfies readonly (keyof TraceAttention)[];

export type Kind = (typeof kinds)[number];

export const views = ['map', 'columns', 'rows'] as const;

/** A heat map, or lines between tokens that stand in two columns, or in two rows as in the paper. */
type AttentionViewName = (typeof views)[number];

export interface AttentionState {
  readonly kind: Kind;
  readonly view: AttentionViewName;
  /** From 0. */
  readonly layer: number;
  /** The head of the heat map, from 0. */
  readonly head: number;
  /** The heads whose lines are drawn, in order, from 0. */
  readonly heads: readonly number[];
  /** The only query word that is shown, by its index among all tokens; undefined: all. */
  readonly word: number | undefined;
  readonly temperature: number;
  readonly showsSpecial: boolean;
}

/** The limits of the state. */
export interface Bounds {
  readonly layers: number;
  readonly heads: number;
  /** Query tokens. */
  readonly rows: number;
}

export const temperatures = { least: 0.1, most: 5 };

/** Missing and invalid parameters have their defaults: all heads of the last layer. */
export function parseState(parameters: URLSearchParams, bounds: (kind: Kind) => Bounds): AttentionState {
  const kind = oneOf(kinds, parameters.get('attention'));
  const { layers, heads, rows } = bounds(kind);
  const temperature = Number(parameters.get('temperature') ?? 1);
  const isTemperature = temperature >= temperatures.least && temperature <= temperatures.most;
  return {
    kind,
    view: oneOf(views, parameters.get('view')),
    layer: (whole(parameters.get('layer'), 1, layers) ?? layers) - 1,
    head: (whole(parameters.get('head'), 1, heads) ?? 1) - 1,
    heads: parseHeads(parameters.get('heads'), heads),
    word: whole(parameters.get('word'), 0, rows - 1),
    temperature: isTemperature ? temperature : 1,
    showsSpecial: parameters.get('special') !== 'hidden',
  };
}

/** Heads as they are written in the URL; undefined, which removes the parameter, if all are shown. */
export function formatHeads(heads: readonly number[], all: number): string | undefined {
  if (heads.length === all) return undefined;
  return heads.length === 0 ? 'none' : heads.map((head) => head + 1).join(',');
}

function parseHeads(text: string | null, all: number): number[] {
  const every = Array.from({ length: all }, (_, head) => head);
  if (text === null) return every;
  const named = new Set(text.split(',').map(Number));
  const heads = every.filter((head) => named.has(head + 1));
  return heads.length === 0 && text !== 'none' ? every : heads;
}

/** A whole number from `least` to `most`; undefined for anything else. */
function whole(text: string | null, least: number, most: number): number | undefined {
  if (text === null || !/^\d+$/.test(text)) return undefined;
  const number = Number(text);
  return number >= least && number <= most ? number : undefined;
}

function oneOf<Name extends string>(names: readonly Name[], text: string | null): Name {
  return names.find((name) => name === text) ?? names[0];
}
