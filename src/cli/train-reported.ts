// A training run with a progress report, which Ctrl-C stops after the batch under way.

import { type RequestedRun, runTraining } from '../tasks/index.ts';
import type { Outcome, TrainingOptions } from '../train/index.ts';
import { Interrupts } from './interrupts.ts';
import { noteOutcome, notePrepared } from './print/prepared.ts';
import { ProgressReport } from './print/progress.ts';

export async function trainReported(
  run: Pick<RequestedRun, 'folder' | 'prepare'>,
  limits: Pick<TrainingOptions, 'epochs' | 'steps'>,
): Promise<Outcome> {
  const report = new ProgressReport(limits);
  const interrupts = new Interrupts();
  const began = performance.now();
  try {
    const outcome = await runTraining(run, {
      onPrepared: (prepared) => {
        notePrepared(prepared);
        interrupts.listen();
      },
      onEvent: (event) => report.event(event),
      onProgress: (progress) => report.update(progress),
      onStopRequest: () => interrupts.request(),
      signal: interrupts.signal,
    });
    noteOutcome(outcome, run.folder, (performance.now() - began) / 1000);
    return outcome;
  } finally {
    interrupts.release();
  }
}
