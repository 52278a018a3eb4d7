// The live stream of a run, as server-sent events. All clients share one copy of the records and one poll of the files,
// and each has its own position in them: a slow client delays no other and needs no buffer. A client that reconnects
// gets all events again.

import { setTimeout as delay } from 'node:timers/promises';
import type { RunFolder } from './run-folder.ts';
import type { RunMessage, RunState } from './schemas.ts';

export interface FollowOptions {
  /** Milliseconds between polls of the files. */
  readonly pollMs: number;
  /** Milliseconds without events after which a comment is sent, so that proxies do not close the connection. */
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

  /**
   * The text of the stream, some messages at a time. When the signal aborts, it ends after the events until then.
   * @throws HeedError if a file cannot be read
   */
  async *follow(): AsyncGenerator<string> {
    const { quietMs, signal } = this.options;
    const position = new StreamPosition(this.run);
    let sentAt = performance.now();
    for (let state = await this.run.look(); ; state = await this.nextPoll()) {
      const text = position.newMessages(state);
      if (text !== '' || performance.now() - sentAt >= quietMs) {
        yield text || ': nothing new\n\n';
        sentAt = performance.now();
      }
      if (signal.aborted) return;
    }
  }

  /** The next poll, shared by all streams that wait for it. */
  private nextPoll(): Promise<RunState> {
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

/** The position of one stream in the records of a run. */
class StreamPosition {
  private state: RunState | undefined;
  private generation: string | undefined;
  private events = 0;
  private speeds = 0;

  constructor(private readonly run: RunFolder) {}

  /** The messages since the last call. */
  newMessages(state: RunState): string {
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

/** JSON contains no line breaks, which would end the data field. */
function message<Name extends keyof RunMessage>(name: Name, data: RunMessage[Name]): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
