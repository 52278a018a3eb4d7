// Admission control: how many requests may be under way at once, for how long, and none once the server is stopping.

import type { ServerResponse } from 'node:http';
import { RequestError } from './errors.ts';

export interface AdmissionOptions {
  readonly maxRequests: number;
  readonly timeoutMs: number;
}

export interface AdmittedRequest {
  /** Aborts when the client has disconnected or the request has timed out; its reason is a RequestError. */
  readonly signal: AbortSignal;
  /** Must be called when the request is answered. */
  release(): void;
}

export class Admission {
  private active = 0;
  private stopping = false;
  private onEmpty: (() => void) | undefined;

  constructor(private readonly options: AdmissionOptions) {}

  /** Requests under way or waiting. */
  get requests(): number {
    return this.active;
  }

  get isStopping(): boolean {
    return this.stopping;
  }

  /** @throws RequestError 503 if there are too many requests, or the server is stopping */
  admit(response: ServerResponse): AdmittedRequest {
    const { maxRequests, timeoutMs } = this.options;
    if (this.stopping) throw stoppingError();
    if (this.active >= maxRequests) throw new RequestError(503, 'the server is busy; ask again in a moment', 1);
    this.active++;
    const stop = new AbortController();
    const onClose = () => {
      if (!response.writableFinished) stop.abort(new RequestError(499, 'the client has gone'));
    };
    const timer = setTimeout(
      () => stop.abort(new RequestError(504, `the translation took longer than ${timeoutMs} ms; send less text`)),
      timeoutMs,
    );
    response.once('close', onClose);
    const release = () => {
      response.off('close', onClose);
      clearTimeout(timer);
      this.active--;
      if (this.active === 0) this.onEmpty?.();
    };
    return { signal: stop.signal, release };
  }

  /** Stops accepting requests and waits for those under way. */
  async close(): Promise<void> {
    this.stopping = true;
    if (this.active === 0) return;
    await new Promise<void>((resolve) => {
      this.onEmpty = resolve;
    });
  }
}

export function stoppingError(): RequestError {
  return new RequestError(503, 'the server is stopping', 5);
}
