// The attention of one trace: thumbnails of all heads, one head or its lines enlarged, and the controls between them.

import { useMemo } from 'preact/hooks';
import type { Trace } from '../../../src/translate/index.ts';
import { appearance } from '../drawing/appearance.ts';
import { headColours } from '../drawing/colour.ts';
import { useDelayed } from '../inspect/use-delayed.ts';
import { route, setParameters } from '../router.ts';
import { AttentionToolbar } from './attention-toolbar.tsx';
import { ExportButtons } from './export-buttons.tsx';
import { HeadGrid } from './head-grid.tsx';
import { HeadLegend } from './head-legend.tsx';
import { HeatMap } from './heat-map.tsx';
import { LineView } from './line-view.tsx';
import { PaperFigures } from './paper-figures-buttons.tsx';
import { boundsOf, type ShownSides, shownSides, shownWeights } from './selection.ts';
import { type AttentionState, formatHeads, parseState } from './state.ts';
import { WeightTable } from './weight-table.tsx';
import { meanEntropyBits, strongestOf } from './weights.ts';
import { words } from './words.ts';

export function AttentionExplorer({ trace }: { readonly trace: Trace }) {
  const state = parseState(route.value.parameters, (kind) => boundsOf(trace, kind));
  const { kind, layer, head, showsSpecial } = state;
  const [temperature, setTemperature] = useDelayed(state.temperature, tellTemperature);
  const sides = useMemo(() => shownSides(trace, kind, { showsSpecial }), [trace, kind, showsSpecial]);
  // The enlarged picture follows the temperature at once, the thumbnails when the slider rests.
  const weights = useMemo(() => allWeights(trace, state, sides), [trace, kind, state.temperature, sides]);
  const entropies = useMemo(() => weights.map((heads) => heads.map(meanEntropyBits)), [weights]);
  // One colour scale for all heads of all layers, so that they can be compared.
  const strongest = useMemo(() => strongestOf(weights.flat()), [weights]);
  const enlarged = useMemo(
    () => (temperature === state.temperature ? weights[layer] : layerWeights(trace, { ...state, temperature }, sides)),
    [weights, layer, temperature],
  );
  return (
    <div class="attention">
      <AttentionToolbar state={{ ...state, temperature }} onTemperature={setTemperature} />
      <div class="attention-columns">
        <section class="attention-heads" aria-label={words.value.headGrid}>
          <HeadGrid
            weights={weights}
            entropies={entropies}
            mostBits={Math.log2(Math.max(2, sides.columns.length))}
            strongest={strongest}
            layer={layer}
            head={head}
            onChoose={(newLayer, newHead) => chooseHead(state, newLayer, newHead)}
          />
          <p class="hint">{words.value.headGridHint}</p>
          {kind === 'encoder' && <PaperFigures trace={trace} />}
        </section>
        <section class="attention-large panel">
          <header class="attention-large-header">
            <h2>
              {words.value.kinds[kind]} · {words.value.layer(layer + 1)}
              {state.view === 'map' && ` · ${words.value.head(head + 1)}`}
            </h2>
            <ExportButtons trace={trace} state={state} />
          </header>
          <Enlarged state={state} sides={sides} weights={enlarged} strongest={strongest} />
        </section>
      </div>
    </div>
  );
}

function tellTemperature(temperature: number): void {
  setParameters({ temperature: temperature === 1 ? undefined : String(temperature) });
}

interface EnlargedProps {
  readonly state: AttentionState;
  readonly sides: ShownSides;
  /** The layer's, [heads] of [rows][columns] shown. */
  readonly weights: readonly (readonly Float32Array[])[];
  readonly strongest: number;
}

function Enlarged({ state, sides, weights, strongest }: EnlargedProps) {
  const { layer, head, view, heads, word } = state;
  const { rows, columns, rowIndices } = sides;
  const place = word === undefined ? -1 : rowIndices.indexOf(word);
  const isolated = place === -1 ? undefined : place;
  const isolate = (row: number | undefined) =>
    setParameters({ word: row === undefined || row === isolated ? undefined : String(rowIndices[row]) });
  const colours = headColours(weights.length, appearance.value);
  return (
    <>
      {view === 'map' ? (
        <HeatMap
          layer={layer}
          head={head}
          rows={rows}
          columns={columns}
          isolated={isolated}
          strongest={strongest}
          values={weights[head]}
          onIsolate={isolate}
        />
      ) : (
        <>
          <HeadLegend
            colours={colours}
            heads={heads}
            entropies={weights.map(meanEntropyBits)}
            onHeads={(chosen) => setParameters({ heads: formatHeads(chosen, weights.length) })}
          />
          <LineView
            orientation={view}
            rows={rows}
            columns={columns}
            isolated={isolated}
            colours={colours}
            heads={heads.map((on) => ({ head: on, values: weights[on] }))}
            onIsolate={isolate}
          />
        </>
      )}
      <WeightTable
        layer={layer}
        rows={rows}
        columns={columns}
        head={view === 'map' ? head : (heads[0] ?? head)}
        weights={weights}
      />
    </>
  );
}

/**
 * Clicking a thumbnail enlarges its head; in the line view it shows the head alone, or together with others of its
 * layer.
 */
function chooseHead({ view }: AttentionState, layer: number, head: number): void {
  const place = { layer: String(layer + 1), head: String(head + 1) };
  setParameters(view === 'map' ? place : { ...place, heads: String(head + 1) });
}

/** [layers][heads] of [rows][columns] shown. */
function allWeights(trace: Trace, state: AttentionState, sides: ShownSides): Float32Array[][][] {
  return trace.attention[state.kind].map((_, layer) => layerWeights(trace, { ...state, layer }, sides));
}

function layerWeights(trace: Trace, state: AttentionState, sides: ShownSides): Float32Array[][] {
  return Array.from({ length: boundsOf(trace, state.kind).heads }, (_, head) =>
    shownWeights(trace, { ...state, head }, sides),
  );
}
