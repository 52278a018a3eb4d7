// The engine in a page or a worker: onnxruntime-web, WebAssembly. It runs in Node, too, where it is tested.

import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import type { Session, SessionOptions } from '../engine.ts';
import { sessionOf, sessionSettings, supports } from '../onnxruntime.ts';
import { compileWith } from '../program.ts';

/**
 * Compiles for WebAssembly kernels. All sessions have one pool of threads, which is made with the first: its `threads` hold. Several
 * threads need a page that is cross-origin isolated; by default the engine takes one elsewhere, and up to four there.
 */
export const compile = compileWith({ supports, load });

async function load(model: Uint8Array, options: SessionOptions): Promise<Session> {
  const { threads } = options;
  if (threads !== undefined) env.wasm.numThreads = threads;
  const session = await InferenceSession.create(model, {
    ...sessionSettings(options),
    executionProviders: ['wasm'],
  });
  return sessionOf(session, Tensor);
}
