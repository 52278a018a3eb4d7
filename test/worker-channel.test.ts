// Calls to a worker thread: what arrives there, what comes back, and how it ends. The thread runs channel-worker.mjs.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { answerCalls } from '../src/base/worker-calls.ts';
import { WorkerChannel } from '../src/base/worker-channel.ts';

interface TestProtocol {
  setup: { input: undefined; output: unknown };
  fail: { input: 'HeedError' | 'TypeError'; output: undefined };
  sum: { input: Float32Array; output: number };
  zeros: { input: number; output: Uint8Array };
  unsendable: { input: undefined; output: unknown };
  count: { input: number; output: undefined; progress: number };
  double: { input: string; output: number; question: string; reply: number };
  wait: { input: number; output: string };
  step: { input: undefined; output: undefined; progress: string };
  crash: { input: undefined; output: undefined };
  exit: { input: undefined; output: undefined };
}

const file = new URL('channel-worker.mjs', import.meta.url);
let channel: WorkerChannel<TestProtocol> | undefined;
afterEach(() => channel?.end());

function open(setup: { workerData?: unknown; onCrash?: () => void } = {}): WorkerChannel<TestProtocol> {
  channel = new WorkerChannel<TestProtocol>({ name: 'test thread', file, ...setup });
  return channel;
}

describe('a call', () => {
  it('resolves to the output of its handler', async () => {
    const calls = open({ workerData: { depth: 3 } });
    expect(await calls.call('setup', undefined)).toEqual({ depth: 3 });
    expect(await calls.call('sum', Float32Array.of(1, 2, 4))).toBe(7);
  });

  it('does not wait for calls made before it', async () => {
    const calls = open();
    const slow = calls.call('wait', 60_000);
    expect(await calls.call('sum', Float32Array.of(1))).toBe(1);
    expect(calls.isIdle).toBe(false);
    const failed = expect(slow).rejects.toThrow('the test thread was ended');
    await calls.end();
    await failed;
  });

  it('transfers buffers in both directions', async () => {
    const calls = open();
    const numbers = Float32Array.of(1, 2);
    expect(await calls.call('sum', numbers, { transfer: [numbers.buffer] })).toBe(3);
    expect(numbers).toHaveLength(0);
    expect(await calls.call('zeros', 4)).toEqual(new Uint8Array(4));
  });

  it('reports progress in order, before its result', async () => {
    const seen: number[] = [];
    await open().call('count', 4, { onProgress: (count) => seen.push(count) });
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  it('answers questions', async () => {
    const onQuestion = vi.fn(async (name: string) => name.length);
    expect(await open().call('double', 'three', { onQuestion })).toBe(10);
    expect(onQuestion.mock.calls).toEqual([['three']]);
  });
});

describe('errors', () => {
  it('keep their class if they are HeedErrors, and come with their stack otherwise', async () => {
    const calls = open();
    await expect(calls.call('fail', 'HeedError')).rejects.toMatchObject({ name: 'HeedError', place: 'place' });
    await expect(calls.call('fail', 'TypeError')).rejects.toThrow(/TypeError: a bug\n.*channel-worker/);
    expect(await calls.call('sum', Float32Array.of(2))).toBe(2);
  });

  it('of an answer to a question are the errors of the call, as they are', async () => {
    const error = new Error('no reply');
    const calls = open();
    await expect(calls.call('double', 'x', { onQuestion: () => Promise.reject(error) })).rejects.toBe(error);
    await expect(calls.call('double', 'x')).rejects.toThrow('the call needs onQuestion');
  });

  it('report an input or output that cannot be sent', async () => {
    const calls = open();
    const unsendable = Object.assign(Float32Array.of(1), { listener: () => {} });
    await expect(calls.call('wait', unsendable.listener as unknown as number)).rejects.toThrow('could not be cloned');
    await expect(calls.call('unsendable', undefined)).rejects.toThrow('could not be cloned');
    expect(calls.isIdle).toBe(true);
  });

  it('report a worker outside of a thread', () => {
    expect(() => answerCalls({})).toThrow('answerCalls: must run in a worker thread');
  });
});

describe('an abort', () => {
  it('rejects with the signal’s reason, and leaves the thread usable', async () => {
    const calls = open();
    const stop = new AbortController();
    const waiting = calls.call('wait', 60_000, { signal: stop.signal });
    const reason = new Error('enough');
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(calls.call('wait', 0, { signal: stop.signal })).rejects.toBe(reason);
    expect(await calls.call('wait', 0)).toBe('waited');
  });

  it('ends a question without an answer', async () => {
    const stop = new AbortController();
    const onQuestion = () => {
      stop.abort(new Error('enough'));
      return new Promise<number>(() => {});
    };
    await expect(open().call('double', 'x', { onQuestion, signal: stop.signal })).rejects.toThrow('enough');
  });
});

describe('the end of the thread', () => {
  it('waits for the calls under way', async () => {
    const calls = open();
    const seen: string[] = [];
    let end: Promise<void> | undefined;
    const onProgress = (progress: string) => {
      seen.push(progress);
      end ??= calls.end();
    };
    await expect(calls.call('step', undefined, { onProgress })).rejects.toThrow('the test thread was ended');
    await end;
    expect(seen).toEqual(['begun', 'done']);
    await expect(calls.call('sum', Float32Array.of(1))).rejects.toThrow('the test thread has ended');
  });

  it.each([
    ['crash', 'out of hand'],
    ['exit', 'the test thread ended unexpectedly'],
  ] as const)('by itself fails all calls under way: %s', async (way, message) => {
    const onCrash = vi.fn();
    const calls = open({ onCrash });
    const other = calls.call('wait', 60_000);
    const failed = expect(other).rejects.toThrow(message);
    await expect(calls.call(way, undefined)).rejects.toThrow(message);
    await failed;
    expect(onCrash).toHaveBeenCalledOnce();
    await expect(calls.call('sum', Float32Array.of(1))).rejects.toThrow('the test thread has ended');
  });

  it('does not keep the process alive', () => {
    const caller = fileURLToPath(new URL('channel-caller.mjs', import.meta.url));
    const { status, stdout } = spawnSync(process.execPath, [caller], { timeout: 30_000 });
    expect([status, String(stdout)]).toEqual([0, '3\n']);
  });
});
