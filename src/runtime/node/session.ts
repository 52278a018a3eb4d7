// Sessions of the engine in Node: onnxruntime-node, native kernels.

import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Session, SessionOptions } from '../engine.ts';
import { sessionOf, sessionSettings } from '../onnxruntime.ts';

/** What ONNX Runtime is told besides the graph. */
export type NativeOptions = InferenceSession.SessionOptions;

/** Loads a graph, or a file of one. `more` goes to ONNX Runtime and wins; its `extra` are entries of the session. */
export async function nativeSession(
  model: Uint8Array | string,
  options: SessionOptions,
  { extra, ...more }: NativeOptions = {},
): Promise<Session> {
  const settings = sessionSettings(options);
  const { threads } = options;
  const all: NativeOptions = {
    ...settings,
    extra: { ...settings.extra, session: { ...settings.extra.session, ...extra } },
    ...(threads === undefined ? {} : { intraOpNumThreads: threads }),
    ...more,
  };
  // The library declares bytes and paths apart.
  const session = await (typeof model === 'string'
    ? InferenceSession.create(model, all)
    : InferenceSession.create(model, all));
  return sessionOf(session, Tensor);
}
