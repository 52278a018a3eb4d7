// Computation graphs: tensors with named dimensions, functions over them, gradients, and a reference evaluator.

export * from './functions.ts';
export { gradients } from './gradient.ts';
export type { DType, EmittedBody, Emitter, OnnxAttribute, Operator, TensorType } from './operator.ts';
export { operators } from './operators/index.ts';
export type {
  ConstantAttributes,
  Initial,
  InputAttributes,
  KeepMaskAttributes,
  ParameterAttributes,
} from './operators/leaf.ts';
export { nodesAndBodies } from './operators/scan-body.ts';
export type { OutputAtAttributes } from './operators/select.ts';
export type { ScanOptions, ScanResults, ScanStep } from './recurrence.ts';
export { evaluate } from './reference.ts';
export { type Dim, formatShape, productOf, type Shape, sameShape } from './shape.ts';
export { dimension, isA, named, namedTensors, type Tensor, type TensorOf, topologicalOrder } from './tensor.ts';
export type { Value } from './value.ts';
