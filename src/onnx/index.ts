// A tensor graph as an ONNX model.

export type { OnnxGraph, OnnxValueInfo } from './graph.ts';
export type { LoopGraph } from './loop/body.ts';
export { ITERATIONS, lowerLoop } from './loop/lower-loop.ts';
export { type LoweredGraph, lower } from './lower.ts';
export type { LowerOptions } from './options.ts';
export { encodeModel } from './protobuf.ts';
export { type ActivationRange, activationRanges } from './quantization/activation-range.ts';
export {
  dequantizeMatrix,
  LARGEST_WEIGHT,
  type QuantizedMatrix,
  quantizationAxes,
  quantizeMatrix,
} from './quantization/matrix.ts';
