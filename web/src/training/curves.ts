// The events of a run as curves over its steps.

import type { RunMessage } from '../../../src/serve/index.ts';

type TrainingEvent = RunMessage['training'];

export interface RunLog {
  readonly events: readonly TrainingEvent[];
  readonly speeds: readonly RunMessage['speed'][];
}

/** Values over steps, in ascending order of steps. */
export interface Curve {
  readonly steps: readonly number[];
  readonly values: readonly number[];
}

export const chartNames = ['loss', 'perplexity', 'bleu', 'learningRate', 'speed', 'gradientNorm'] as const;

export type ChartName = (typeof chartNames)[number];

/** The curves of a chart, of training and of validation. Either may be empty. */
export interface ChartCurves {
  readonly training: Curve;
  readonly heldOut: Curve;
}

export function curvesOf(chart: ChartName, { events, speeds }: RunLog): ChartCurves {
  const steps = events.filter((event) => event.kind === 'step');
  const validations = events.filter((event) => event.kind === 'validation');
  const none = curve([], () => undefined);
  switch (chart) {
    case 'loss':
      return { training: curve(steps, ({ loss }) => loss), heldOut: curve(validations, ({ loss }) => loss) };
    case 'perplexity':
      return { training: none, heldOut: curve(validations, ({ perplexity }) => perplexity) };
    case 'bleu':
      return { training: none, heldOut: curve(validations, ({ bleu }) => bleu) };
    case 'learningRate':
      return { training: curve(steps, ({ learningRate }) => learningRate), heldOut: none };
    case 'gradientNorm':
      return { training: curve(steps, ({ gradientNorm }) => gradientNorm), heldOut: none };
    case 'speed':
      return { training: curve(onceEach(speeds), ({ targetTokensPerSecond }) => targetTokensPerSecond), heldOut: none };
  }
}

/** The value at a step, or the last before it; without a step, the last of the curve. Undefined before its beginning. */
export function valueAt({ steps, values }: Curve, step = Number.POSITIVE_INFINITY): number | undefined {
  return values[steps.findLastIndex((known) => known <= step)];
}

/** The last validation with samples at or before a step. */
export function samplesAt({ events }: RunLog, step = Number.POSITIVE_INFINITY) {
  return events
    .filter((event) => event.kind === 'validation')
    .findLast((validation) => validation.samples !== undefined && validation.step <= step);
}

function curve<Item extends { readonly step: number }>(
  items: readonly Item[],
  measure: (item: Item) => number | undefined,
): Curve {
  const known = items.filter((item) => Number.isFinite(measure(item)));
  return { steps: known.map(({ step }) => step), values: known.map((item) => measure(item) ?? 0) };
}

/** A step that was repeated after a resumption has two values: the later one counts. */
function onceEach<Item extends { readonly step: number }>(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [item.step, item])).values()].sort((a, b) => a.step - b.step);
}
