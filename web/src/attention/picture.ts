// The data of a saved picture: words, weights of the shown heads, and the enlarged head.

import type { Trace } from '../../../src/translate/index.ts';
import { appearance } from '../drawing/appearance.ts';
import { headColours } from '../drawing/colour.ts';
import type { Figure } from '../drawing/figure.ts';
import { scaleOf } from '../drawing/heat-canvas.tsx';
import { type AttentionData, rounded } from './attention-data.ts';
import { heatMapFigure, type Inks, lineFigure } from './figures.ts';
import { boundsOf, shownSides, shownWeights } from './selection.ts';
import { standaloneHtml } from './standalone.ts';
import type { AttentionState } from './state.ts';
import { meanEntropyBits, strongestOf, type WeightMatrix } from './weights.ts';
import { words } from './words.ts';

/** The current colours of the page. */
function currentInks(trace: Trace, state: AttentionState): Inks {
  const { heads } = boundsOf(trace, state.kind);
  const probe = document.createElement('span');
  probe.style.color = 'var(--paper-raised)';
  document.body.append(probe);
  const paper = getComputedStyle(probe).color;
  probe.remove();
  const ink = getComputedStyle(document.body).color;
  const shown = trace.attention[state.kind].flatMap((_, layer) =>
    Array.from({ length: heads }, (_, head) => shownMatrix(trace, { ...state, layer }, head).values),
  );
  return {
    paper,
    ink,
    weights: scaleOf('weights'),
    strongest: strongestOf(shown),
    heads: headColours(heads, appearance.value),
  };
}

/** One head's shown weights with their words. */
function shownMatrix(trace: Trace, state: AttentionState, head: number): WeightMatrix {
  const sides = shownSides(trace, state.kind, state);
  return {
    rows: sides.rows.map(({ piece }) => piece),
    columns: sides.columns.map(({ piece }) => piece),
    values: shownWeights(trace, { ...state, head }, sides),
  };
}

function titleOf({ kind, layer, head, view }: AttentionState): string {
  const parts = [words.value.kinds[kind], words.value.layer(layer + 1)];
  return (view === 'map' ? [...parts, words.value.head(head + 1)] : parts).join(' · ');
}

/** The heat map, or the lines, as shown. */
export function figureOf(trace: Trace, state: AttentionState): Figure {
  const inks = currentInks(trace, state);
  if (state.view === 'map') return heatMapFigure(shownMatrix(trace, state, state.head), titleOf(state), inks);
  return linesFigure(trace, state, inks);
}

function linesFigure(trace: Trace, state: AttentionState, inks: Inks): Figure {
  const matrices = state.heads.map((head) => ({ head, ...shownMatrix(trace, state, head) }));
  const { rows, columns } = shownMatrix(trace, state, 0);
  const { rowIndices } = shownSides(trace, state.kind, state);
  const row = state.word === undefined ? -1 : rowIndices.indexOf(state.word);
  const orientation = state.view === 'rows' ? 'rows' : 'columns';
  const options = { orientation, row: row === -1 ? undefined : row, title: titleOf(state) } as const;
  return lineFigure({ rows, columns, heads: matrices }, options, inks);
}

/** The shown heads; in the heat map, the enlarged head. */
export function dataOf(trace: Trace, state: AttentionState): AttentionData {
  const { rows, columns } = shownMatrix(trace, state, 0);
  const heads = state.view === 'map' ? [state.head] : state.heads;
  return {
    format: 'heed-attention',
    version: 1,
    model: trace.model.name,
    source: trace.source.text,
    target: trace.target.text,
    attention: state.kind,
    layer: state.layer + 1,
    temperature: state.temperature,
    rows,
    columns,
    heads: heads.map((head) => {
      const { values } = shownMatrix(trace, state, head);
      return { head: head + 1, entropy: meanEntropyBits(values), weights: rounded(values) };
    }),
  };
}

/** The shown heads, as lines and as heat maps, in one file. */
export function htmlOf(trace: Trace, state: AttentionState): string {
  const inks = currentInks(trace, state);
  const on = state.heads.length > 0 ? state.heads : [state.head];
  const shown: AttentionState = { ...state, heads: on, view: state.view === 'map' ? 'columns' : state.view };
  return standaloneHtml({
    data: dataOf(trace, shown),
    lines: linesFigure(trace, shown, inks),
    heatMaps: on.map((head) => heatMapFigure(shownMatrix(trace, shown, head), words.value.head(head + 1), inks)),
    inks,
    words: {
      title: `${trace.source.text} → ${trace.target.text}`,
      head: words.value.head,
      heatMap: words.value.views.map,
      lines: words.value.views.columns,
    },
  });
}
