// The step whose values are shown: under the pointer on a chart, else at the slider, else the latest.

import { computed, signal } from '@preact/signals';
import { formatCount } from '../numbers.ts';
import type { ChartName } from './curves.ts';

export const pointedStep = signal<number | undefined>(undefined);

export const pinnedStep = signal<number | undefined>(undefined);

export const readStep = computed(() => pointedStep.value ?? pinnedStep.value);

/** Formats a metric: BLEU with two decimals, the others with three or four significant digits. */
export function formatMeasure(name: ChartName, value: number): string {
  if (name === 'bleu') return value.toFixed(2);
  const size = Math.abs(value);
  if (size !== 0 && size < 0.001) return value.toExponential(2).replace('-', '−');
  if (size >= 1000) return formatCount(value);
  return value.toPrecision(size < 1 ? 3 : 4);
}

/** The same for an axis, where values are round: without trailing zeros. */
export function formatTick(name: ChartName, value: number): string {
  return formatMeasure(name, value)
    .replace(/(\.\d*?)0+(?=e|$)/, '$1')
    .replace(/\.(?=e|$)/, '');
}
