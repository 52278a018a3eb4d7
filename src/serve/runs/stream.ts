// A run as it happens, as server-sent events. Every listener has its own place in the records, which are kept once for all:
// a slow one holds up nobody and gathers nothing, and the files are looked at once for all of them. One that connects again
// is told all of it again.

import { setTimeout as delay } from 'node:timers/promises';
import type { RunFolder } from './run-folder.ts';
import type { RunMessage, RunState } from './schemas.ts';

export interface FollowOptions {
  /** Milliseconds between looks at the files. */
  readonly pollMs: number;
  /** Milliseconds without news after which a comment is sent, so that nobody on the way takes the stream for dead. */
  readonly quietMs: number;
  /** Ends all streams. */
  readonly signal: AbortSignal;
}

export class FollowedRun {
  private pending: Promise<RunState> | undefined;

  constructor(
    readonly run: RunFolder,
    private readonly options: FollowOptions,
  ) {}

  /** The stream's text, some messages at a time; told to end, it says what is new until then. @throws HeedError if a file cannot be read */
  async *follow(): AsyncGenerator<string> {
    const { quietMs, signal } = this.options;
    const listener = new Listener(this.run);
    let saidAt = performance.now();
    for (let state = await this.run.look(); ; state = await this.nextLook()) {
      const news = listener.news(state);
      if (news !== '' || performance.now() - saidAt >= quietMs) {
        yield news || ': nothing new\n\n';
        saidAt = performance.now();
      }
      if (signal.aborted) return;
    }
  }

  /** One look, a while from now, for all who wait for it. */
  private nextLook(): Promise<RunState> {
    const { pollMs, signal } = this.options;
    this.pending ??= delay(pollMs, undefined, { signal })
      .catch(() => undefined)
      .then(() => this.run.look())
      .finally(() => {
        this.pending = undefined;
      });
    return this.pending;
  }
}

/** How much of a run one listener has been told. */
class Listener {
  private state: RunState | undefined;
  private generation: string | undefined;
  private events = 0;
  private speeds = 0;

  constructor(private readonly run: RunFolder) {}

  /** What it has not been told yet. */
  news(state: RunState): string {
    const { run } = this;
    const messages: string[] = [];
    if (state !== this.state) messages.push(message('state', { state }));
    if (run.generation !== this.generation) {
      messages.push(message('reset', {}));
      this.events = 0;
      this.speeds = 0;
    }
    for (const event of run.events.records.slice(this.events)) messages.push(message('training', event));
    for (const speed of run.speeds.records.slice(this.speeds)) messages.push(message('speed', speed));
    this.state = state;
    this.generation = run.generation;
    this.events = run.events.records.length;
    this.speeds = run.speeds.records.length;
    return messages.join('');
  }
}

/** JSON has no line breaks, which would end the data. */
function message<Name extends keyof RunMessage>(name: Name, data: RunMessage[Name]): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
