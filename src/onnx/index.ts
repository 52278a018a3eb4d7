// A tensor graph as an ONNX model.

export type { OnnxGraph, OnnxValueInfo } from './graph.ts';
export { type LoweredGraph, type LowerOptions, lower } from './model.ts';
export { encodeModel } from './protobuf.ts';
export {
  dequantizeMatrix,
  LARGEST_WEIGHT,
  type QuantizedMatrix,
  quantizationAxes,
  quantizeMatrix,
} from './quantized.ts';
export { type Reach, reachesOf } from './reach.ts';
export { lowerRepeated, type Repetition, ROUNDS } from './repeated.ts';
