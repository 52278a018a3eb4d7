// Sessions of the engine in Node: onnxruntime-node, native kernels.

import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { EngineInput, Session, SessionOptions, Values } from '../engine.ts';

/** The fused kernel takes seven times as long as sum and normalisation one after the other, and is less exact (docs/log.md). */
const FUSED_NORM = 'SkipLayerNormFusion';
/** Which scales products take on is said where graphs are lowered: to take on more would change what is rounded. */
const FUSED_SCALE = 'MatMulScaleFusion';
/** With few rows, a product and a sum cost less than the product with bias and the two reshapes around it. */
const FUSED_BIAS = 'MatMulAddFusion';

/** What ONNX Runtime is told besides the graph. */
export type NativeOptions = InferenceSession.SessionOptions;

/** Loads a graph, or a file of one. `more` goes to ONNX Runtime and wins; its `extra` are entries of the session. */
export async function nativeSession(
  model: Uint8Array | string,
  { threads, restBetweenRuns = false, fewRows = false }: SessionOptions,
  { extra, ...more }: NativeOptions = {},
): Promise<Session> {
  const options: NativeOptions = {
    // Memory patterns are kept for every shape ever seen: with them, varying shapes grow memory for ever.
    enableMemPattern: false,
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
    extra: {
      optimization: {
        disable_specified_optimizers: [FUSED_NORM, FUSED_SCALE, ...(fewRows ? [FUSED_BIAS] : [])].join(';'),
      },
      session: { force_spinning_stop: restBetweenRuns ? '1' : '0', ...extra },
    },
    ...(threads === undefined ? {} : { intraOpNumThreads: threads }),
    ...more,
  };
  // The library declares bytes and paths apart.
  const session = await (typeof model === 'string'
    ? InferenceSession.create(model, options)
    : InferenceSession.create(model, options));
  return {
    async run(inputs: readonly EngineInput[], outputs: readonly string[]) {
      const feeds: Record<string, Tensor> = {};
      for (const { name, dtype, values } of inputs) feeds[name] = new Tensor(dtype, values.data, values.shape);
      const results = await session.run(feeds, outputs);
      return Object.fromEntries(outputs.map((name) => [name, valuesOf(results[name])]));
    },
    release: () => session.release(),
  };
}

function valuesOf(tensor: Tensor): Values {
  return { shape: tensor.dims, data: tensor.data as Values['data'] };
}
