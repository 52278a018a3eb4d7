// What the builds of ONNX Runtime have in common: how heed sets up its sessions, and runs them.

import type { DType } from '../tensor/index.ts';
import type { Session, SessionOptions, Values } from './engine.ts';

/** The fused kernel takes seven times as long as sum and normalization one after the other, and is less exact (docs/log.md). */
const FUSED_NORM = 'SkipLayerNormFusion';
/** Which scales products take on is decided where graphs are lowered: to take on more would change what is rounded. */
const FUSED_SCALE = 'MatMulScaleFusion';
/** With few rows, a product and a sum cost less than the product with bias and the two reshapes around it. */
const FUSED_BIAS = 'MatMulAddFusion';

/** All operators that lowering asks for: the builds for processors have them, native or WebAssembly. */
export function supports(_operator: string): boolean {
  return true;
}

/** The options of a session but for its threads. */
export function sessionSettings({ restBetweenRuns = false, fewRows = false }: SessionOptions) {
  return {
    // Memory patterns are kept for every shape ever seen: with them, varying shapes grow memory for ever.
    enableMemPattern: false,
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
    extra: {
      optimization: {
        disable_specified_optimizers: [FUSED_NORM, FUSED_SCALE, ...(fewRows ? [FUSED_BIAS] : [])].join(';'),
      },
      session: { force_spinning_stop: restBetweenRuns ? '1' : '0' },
    },
  } as const;
}

/** A session of ONNX Runtime, with tensors of its own. */
interface RuntimeSession<T> {
  run(feeds: Record<string, T>, outputs: readonly string[]): Promise<Readonly<Record<string, RuntimeTensor>>>;
  release(): Promise<void>;
}

interface RuntimeTensor {
  readonly dims: readonly number[];
  readonly data: unknown;
}

type TensorOf<T> = new (dtype: DType, data: Values['data'], shape: readonly number[]) => T;

/** Wraps a session of onnxruntime. @param Tensor the constructor of its tensors */
export function sessionOf<T>(session: RuntimeSession<T>, Tensor: TensorOf<T>): Session {
  return {
    async run(inputs, outputs) {
      const feeds: Record<string, T> = {};
      for (const { name, dtype, values } of inputs) feeds[name] = new Tensor(dtype, values.data, values.shape);
      const results = await session.run(feeds, outputs);
      return Object.fromEntries(outputs.map((name) => [name, valuesOf(results[name])]));
    },
    release: () => session.release(),
  };
}

/** Outputs of graphs are float32 or int32. */
function valuesOf({ dims, data }: RuntimeTensor): Values {
  return { shape: dims, data: data as Values['data'] };
}
