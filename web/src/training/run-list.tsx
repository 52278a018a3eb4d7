// The list of runs: which are shown, their states, and their stop buttons.

import type { RunSummary } from '../../../src/serve/index.ts';
import { formatCount } from '../numbers.ts';
import type { ChartName } from './curves.ts';
import { formatMeasure } from './reading.ts';
import { logs, mostShown, runs, seriesOf, show, shown } from './runs.ts';
import { StopButton } from './stop-button.tsx';
import { words } from './words.ts';

export function RunList() {
  return (
    <section aria-label={words.value.runs}>
      <ul class="runs">
        {(runs.value ?? []).map((run) => (
          <Run key={run.name} run={run} />
        ))}
      </ul>
      {(runs.value?.length ?? 0) > mostShown && <p class="hint">{words.value.mostShown(mostShown)}</p>}
    </section>
  );
}

function Run({ run }: { readonly run: RunSummary }) {
  const { name, state, mayStop, recipe } = run;
  const isShown = shown.value.includes(name);
  return (
    <li class="run panel">
      <div class="run-head">
        <label class="run-name">
          <input
            type="checkbox"
            checked={isShown}
            disabled={!isShown && shown.value.length >= mostShown}
            onChange={({ currentTarget }) => show(name, currentTarget.checked)}
          />
          <span class={`swatch series-${seriesOf(name)}`} aria-hidden="true" />
          {name}
        </label>
        <span class={`run-state ${state}`}>{words.value.states[state]}</span>
        {mayStop && state === 'running' && <StopButton name={name} />}
      </div>
      <Numbers run={run} />
      <Recipe recipe={recipe} />
    </li>
  );
}

function Numbers({ run: { name, latest } }: { readonly run: RunSummary }) {
  const log = logs.value.get(name);
  const step = log?.events.findLast((event) => event.kind === 'step') ?? latest.step;
  const validation = log?.events.findLast((event) => event.kind === 'validation') ?? latest.validation;
  const speed = log?.speeds.at(-1) ?? latest.speed;
  const measures: readonly (readonly [name: ChartName, value: number | undefined])[] = [
    ['loss', step?.loss],
    ['perplexity', validation?.perplexity],
    ['bleu', validation?.bleu],
    ['speed', speed?.targetTokensPerSecond],
  ];
  if (!step) return <p class="hint">{words.value.waiting}</p>;
  return (
    <dl class="run-numbers">
      <Pair name={words.value.epoch} value={formatCount(step.epoch)} />
      <Pair name={words.value.step} value={formatCount(step.step)} />
      {measures.map(
        ([name, value]) =>
          value !== undefined && (
            <Pair key={name} name={words.value.chartNames[name]} value={formatMeasure(name, value)} />
          ),
      )}
    </dl>
  );
}

function Pair({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="number">{value}</dd>
    </div>
  );
}

function Recipe({ recipe }: Pick<RunSummary, 'recipe'>) {
  const entries = Object.entries(recipe);
  if (entries.length === 0) return undefined;
  return (
    <details class="recipe hint">
      <summary>{words.value.recipe}</summary>
      <dl>
        {entries.map(([name, value]) => (
          <Pair key={name} name={name} value={typeof value === 'string' ? value : JSON.stringify(value)} />
        ))}
      </dl>
    </details>
  );
}
