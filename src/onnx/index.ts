// A tensor graph as an ONNX model.

export type { OnnxGraph, OnnxValueInfo } from './graph.ts';
export { lowerRepeated, type Repetition, ROUNDS } from './loop/lower-loop.ts';
export { type LoweredGraph, type LowerOptions, lower } from './lower.ts';
export { encodeModel } from './protobuf.ts';
export { type Reach, reachesOf } from './quantization/activation-range.ts';
export {
  dequantizeMatrix,
  LARGEST_WEIGHT,
  type QuantizedMatrix,
  quantizationAxes,
  quantizeMatrix,
} from './quantization/matrix.ts';
