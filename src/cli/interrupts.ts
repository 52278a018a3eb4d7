// Ctrl-C and SIGTERM while a model is trained.

import { constants } from 'node:os';
import { note } from './print/terminal.ts';

/**
 * The first Ctrl-C or SIGTERM asks the run to stop, the second one ends the process at once. Until `listen` is called both end
 * the process as they always do: until then there is nothing to save, and learning a tokenizer would keep a handler waiting.
 */
export class Interrupts {
  private readonly stop = new AbortController();

  /** Aborted once the run is to stop. */
  get signal(): AbortSignal {
    return this.stop.signal;
  }

  listen(): void {
    process.on('SIGINT', this.interrupt);
    process.on('SIGTERM', this.interrupt);
  }

  release(): void {
    process.removeListener('SIGINT', this.interrupt);
    process.removeListener('SIGTERM', this.interrupt);
  }

  /** For a request that came another way; the process ends as after Ctrl-C. */
  request(): void {
    if (!this.signal.aborted) this.abort(', as requested', constants.signals.SIGINT);
  }

  private readonly interrupt = (_: NodeJS.Signals, number: number): void => {
    if (this.signal.aborted) process.exit(128 + number);
    this.abort(' (press Ctrl-C again to stop at once)', number);
  };

  private abort(advice: string, signalNumber: number): void {
    note(`\nstopping after this batch; the run will be saved${advice}`);
    this.stop.abort();
    process.exitCode = 128 + signalNumber;
  }
}
