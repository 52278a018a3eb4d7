// The training view: live curves of several runs in the same charts.

import 'uplot/dist/uPlot.min.css';
import './training.css';
import { useEffect } from 'preact/hooks';
import { Notice } from '../design/notice.tsx';
import { words as frameWords } from '../words.ts';
import { Chart } from './chart.tsx';
import { chartNames } from './curves.ts';
import { RunList } from './run-list.tsx';
import { failure, followRuns, runs } from './runs.ts';
import { Samples } from './samples.tsx';
import { StepSlider } from './step-slider.tsx';
import { words } from './words.ts';

export function TrainingView() {
  useEffect(followRuns, []);
  return (
    <>
      <h1 class="visually-hidden">{frameWords.value.views.training}</h1>
      {failure.value !== undefined && <Notice>{failure.value}</Notice>}
      {runs.value?.length === 0 ? <NoRuns /> : <Runs />}
    </>
  );
}

function Runs() {
  return (
    <>
      <RunList />
      <section aria-label={words.value.charts}>
        <StepSlider />
        <div class="charts">
          {chartNames.map((name) => (
            <Chart key={name} name={name} />
          ))}
        </div>
      </section>
      <Samples />
    </>
  );
}

function NoRuns() {
  return (
    <div class="no-runs">
      <p>{words.value.noRuns}</p>
      <pre class="command">heed serve --model DIR --run DIR</pre>
      <pre class="command">heed train … --ui</pre>
    </div>
  );
}
