// The chart of one metric of the shown runs over their steps: a line for training, points for validation.

import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { appearance } from '../drawing/appearance.ts';
import { useWidth } from '../drawing/use-width.ts';
import { formatCount } from '../numbers.ts';
import { type ChartName, type Curve, curvesOf, valueAt } from './curves.ts';
import { formatMeasure, formatTick, pointedStep, readStep } from './reading.ts';
import { logs, seriesOf, shown } from './runs.ts';
import { words } from './words.ts';

interface ShownCurve {
  readonly run: string;
  readonly series: number;
  readonly kind: 'training' | 'heldOut';
  readonly curve: Curve;
}

export function Chart({ name }: { readonly name: ChartName }) {
  const container = useRef<HTMLDivElement>(null);
  const width = useWidth(container);
  const curves = shownCurves(name);
  const shape = curves.map(({ run, series, kind }) => `${run} ${series} ${kind}`).join('\n');
  const plot = usePlot(container, { name, curves, shape, width });
  useEffect(() => {
    plot.current?.setData(dataOf(curves));
  }, [logs.value, shape, plot]);
  useEffect(() => {
    const step = readStep.value;
    const drawn = plot.current;
    if (!drawn) return;
    drawn.setCursor({ left: step === undefined ? -10 : drawn.valToPos(step, 'x'), top: 0 }, false);
  }, [readStep.value]);
  const hasBoth = new Set(curves.map(({ kind }) => kind)).size > 1;
  return (
    <figure class="chart panel" hidden={curves.length === 0}>
      <figcaption>
        <h3>
          {words.value.chartNames[name]}
          {hasBoth && (
            <span class="hint">
              {' '}
              {words.value.training} · {words.value.heldOut}
            </span>
          )}
        </h3>
        <Readings name={name} curves={curves} />
      </figcaption>
      <div ref={container} class="chart-plot" role="img" aria-label={summaryOf(name, curves)} />
    </figure>
  );
}

function shownCurves(name: ChartName): ShownCurve[] {
  return shown.value.flatMap((run) => {
    const log = logs.value.get(run);
    if (!log) return [];
    const curves = curvesOf(name, log);
    const series = seriesOf(run);
    return (['training', 'heldOut'] as const)
      .map((kind) => ({ run, series, kind, curve: curves[kind] }))
      .filter(({ curve }) => curve.steps.length > 0);
  });
}

/** The legend: each run with its values at the step under the pointer, or else its latest. */
function Readings({ name, curves }: { readonly name: ChartName; readonly curves: readonly ShownCurve[] }) {
  const runs = shown.value
    .map((run) => ({ run, own: curves.filter((curve) => curve.run === run) }))
    .filter(({ own }) => own.length > 0);
  return (
    <p class="readings">
      {runs.map(({ run, own }) => (
        <span key={run} class="reading-value">
          <span class={`swatch series-${own[0].series}`} aria-hidden="true" />
          <span class="visually-hidden">{run}</span>{' '}
          {own.map(({ kind, curve }) => (
            <span key={kind} class={`number ${kind}`}>
              <span class="visually-hidden">{words.value[kind]}</span> {readingOf(name, curve)}{' '}
            </span>
          ))}
        </span>
      ))}
    </p>
  );
}

function readingOf(name: ChartName, curve: Curve): string {
  const value = valueAt(curve, readStep.value);
  return value === undefined ? '–' : formatMeasure(name, value);
}

function summaryOf(name: ChartName, curves: readonly ShownCurve[]): string {
  const parts = curves.map(({ run, kind, curve }) =>
    words.value.curveSummary(
      `${run}, ${words.value[kind]}`,
      formatMeasure(name, curve.values.at(-1) ?? 0),
      curve.steps.at(-1) ?? 0,
    ),
  );
  return [words.value.chartNames[name], ...parts].join('. ');
}

/** uPlot requires one list of steps for all curves; a curve is undefined where it has no value. */
function dataOf(curves: readonly ShownCurve[]): uPlot.AlignedData {
  if (curves.length === 0) return [[]];
  return uPlot.join(curves.map(({ curve }) => [[...curve.steps], [...curve.values]]));
}

interface PlotOptions {
  readonly name: ChartName;
  readonly curves: readonly ShownCurve[];
  /** Identifies the curves: when it changes, the plot is created again. */
  readonly shape: string;
  readonly width: number;
}

const plotHeight = 190;

function usePlot(container: RefObject<HTMLDivElement | null>, { name, curves, shape, width }: PlotOptions) {
  const plot = useRef<uPlot | undefined>(undefined);
  const look = appearance.value;
  const hasWidth = width > 0;
  useEffect(() => {
    if (!container.current || !hasWidth || shape === '') return;
    const options = plotOptions(container.current, { name, curves, width });
    plot.current = new uPlot(options, dataOf(curves), container.current);
    return () => {
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [shape, look, hasWidth]);
  useEffect(() => {
    plot.current?.setSize({ width, height: plotHeight });
  }, [width]);
  return useMemo(() => plot, []);
}

function plotOptions(
  element: HTMLElement,
  { name, curves, width }: Pick<PlotOptions, 'name' | 'curves' | 'width'>,
): uPlot.Options {
  const [ink, line] = [colourOf(element, '--ink-soft'), colourOf(element, '--line')];
  const axis: uPlot.Axis = {
    stroke: ink,
    font: `11px ${getComputedStyle(element).fontFamily}`,
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1, size: 4 },
  };
  const logarithmic = name === 'perplexity';
  return {
    width,
    height: plotHeight,
    legend: { show: false },
    padding: [8, 12, 0, 0],
    scales: { x: { time: false }, y: { distr: logarithmic ? 3 : 1 } },
    axes: [
      { ...axis, size: 30, values: (_, steps) => steps.map(formatCount) },
      {
        ...axis,
        size: 52,
        grid: logarithmic ? { ...axis.grid, filter: roundValues } : axis.grid,
        values: (_, values) => values.map((value) => (value === null ? '' : formatTick(name, value))),
      },
    ],
    series: [{}, ...curves.map(({ series, kind }) => seriesStyle(colourOf(element, `--series-${series}`), kind))],
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    hooks: { setCursor: [({ cursor, posToVal }) => point(cursor.left, posToVal)] },
  };
}

/** A logarithmic axis has lines at 1, 2 and 5 only. */
function roundValues(_: uPlot, values: readonly number[]): (number | null)[] {
  return values.map((value) =>
    /^[125]/.test(value.toExponential()) && Number.parseFloat(value.toPrecision(1)) === value ? value : null,
  );
}

function seriesStyle(stroke: string, kind: ShownCurve['kind']): uPlot.Series {
  const isHeldOut = kind === 'heldOut';
  return { stroke, width: isHeldOut ? 1.5 : 1, spanGaps: true, points: { show: isHeldOut, size: 5, fill: stroke } };
}

function point(left: number | undefined, posToVal: uPlot['posToVal']): void {
  pointedStep.value = left === undefined || left < 0 ? undefined : Math.round(posToVal(left, 'x'));
}

/** The current value of a CSS variable. */
function colourOf(element: HTMLElement, variable: string): string {
  element.style.setProperty('color', `var(${variable})`);
  const { color } = getComputedStyle(element);
  element.style.removeProperty('color');
  return color;
}
