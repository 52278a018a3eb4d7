// The estimate of heed train --dry-run, as lines for people or as JSON.

import type { DataCounts, Estimate } from '../../tasks/index.ts';
import { duration, grouped, print } from './terminal.ts';

export async function printEstimate(estimate: Estimate): Promise<void> {
  for (const [name, value] of linesOf(estimate)) await print(`${name.padEnd(29)}${value}`);
}

/** One object; the counts of the data stand beside the rest. */
export async function printEstimateAsJson({ data, ...rest }: Estimate): Promise<void> {
  await print(JSON.stringify({ ...data, ...rest }));
}

function linesOf(estimate: Estimate): [name: string, value: string][] {
  const { data, memory, updates, seconds } = estimate;
  const learned = memory.weights + memory.gradients + memory.moments;
  const tokens = `${grouped(estimate.tokensPerUpdate)} at most a side`;
  const speed = `${estimate.secondsPerUpdate.toFixed(2)} s an update`;
  return [
    ...Object.entries(data).map(([name, count]): [string, string] => [name, formatCount(count)]),
    ['parameters', grouped(estimate.parameters)],
    ['weights, gradients, moments', megabytes(learned)],
    ['activations, about', megabytes(memory.activations)],
    ['peak memory when timed', megabytes(memory.peakResident)],
    ['tokens an update', `${tokens}, ${grouped(estimate.targetTokensPerUpdate)} target tokens on average`],
    ['padding', `${(100 * estimate.padding).toFixed(1)} % of the tokens`],
    ['updates an epoch', grouped(estimate.updatesPerEpoch)],
    ['speed here', `${speed}, ${grouped(estimate.targetTokensPerSecond)} target tokens/s`],
    ['the whole run', updates === undefined ? 'until patience ends' : `${grouped(updates)} updates`],
    ['time here, about', seconds === undefined ? 'unknown' : `${duration(seconds)}, without validation`],
  ];
}

/** Counts that are all the same are one number. */
function formatCount(count: DataCounts[string]): string {
  const counts = typeof count === 'number' ? [count] : Object.values(count);
  return [...new Set(counts)].map(grouped).join(' and ');
}

function megabytes(bytes: number): string {
  return `${grouped(bytes / 1e6)} MB`;
}
