// The engine in a page or a worker: onnxruntime-web, WebAssembly. It runs in Node, too, where it is tested.

import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import type { Session, SessionOptions } from '../engine.ts';
import { sessionOf, sessionSettings, supports } from '../onnxruntime.ts';
import { compileWith } from '../program.ts';

/**
 * Compiles for WebAssembly kernels. Several threads need a page that is cross-origin isolated: there the first session's
 * `threads` hold for all (default: up to four), elsewhere there is one thread.
 */
export const compile = compileWith({ supports, load });

async function load(model: Uint8Array, options: SessionOptions): Promise<Session> {
  const threads = isIsolated() ? options.threads : 1;
  if (threads !== undefined) env.wasm.numThreads = threads;
  const session = await InferenceSession.create(model, {
    ...sessionSettings(options),
    executionProviders: ['wasm'],
  });
  return sessionOf(session, Tensor);
}

/** Whether this is a page or worker that may share memory between threads. */
function isIsolated(): boolean {
  return Reflect.get(globalThis, 'crossOriginIsolated') === true;
}
