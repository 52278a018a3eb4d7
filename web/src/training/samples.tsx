// How the shown runs translate the first validation sentences, at their last validation before the chosen step.

import { samplesAt } from './curves.ts';
import { pinnedStep } from './reading.ts';
import { logs, seriesOf, shown } from './runs.ts';
import { words } from './words.ts';

interface Sample {
  readonly source: string;
  readonly reference: string;
  readonly translations: readonly { readonly run: string; readonly step: number; readonly text: string }[];
}

export function Samples() {
  const samples = shownSamples();
  return (
    <section class="samples">
      <h2>{words.value.samples}</h2>
      {samples.length === 0 && <p class="hint">{words.value.noSamples}</p>}
      {samples.map(({ source, reference, translations }) => (
        <article key={source} class="sample">
          <p dir="auto">{source}</p>
          {translations.map(({ run, step, text }) => (
            <p key={run} dir="auto" class="sample-translation">
              <span class={`swatch series-${seriesOf(run)}`} aria-hidden="true" /> {text}{' '}
              <span class="hint">
                {translations.length > 1 && `${run}, `}
                {words.value.atStep(step)}
              </span>
            </p>
          ))}
          <p dir="auto" class="sample-reference">
            {reference} <span class="hint">{words.value.reference}</span>
          </p>
        </article>
      ))}
    </section>
  );
}

/** Runs with the same validation text are grouped. */
function shownSamples(): Sample[] {
  const bySource = new Map<string, Sample>();
  for (const run of shown.value) {
    const log = logs.value.get(run);
    const validation = log && samplesAt(log, pinnedStep.value);
    for (const { source, reference, translation } of validation?.samples ?? []) {
      const known = bySource.get(source)?.translations ?? [];
      const translations = [...known, { run, step: validation?.step ?? 0, text: translation }];
      bySource.set(source, { source, reference, translations });
    }
  }
  return [...bySource.values()];
}
