// An ONNX graph as plain data, as far as heed needs the format (onnx.proto, IR version 10).

import type { DType, OnnxAttribute, Shape } from '../tensor/index.ts';

export interface OnnxValueInfo {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: Shape;
}

export interface OnnxInitializer {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Float32Array | Int32Array | BigInt64Array | Int8Array | Uint8Array;
}

export interface OnnxNode {
  /** An operator of ONNX, or with its domain before it: `com.microsoft:MatMulIntegerToFloat`. */
  readonly type: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** A graph among them is a body, such as that of a loop: it sees the names of the graph around it. */
  readonly attributes: Readonly<Record<string, OnnxAttribute | OnnxGraph>>;
}

/** What a node reads: its inputs, and what the nodes of its bodies read. */
export function namesRead({ inputs, attributes }: OnnxNode): string[] {
  const bodies = Object.values(attributes).filter(isGraph);
  return [...inputs, ...bodies.flatMap(({ nodes }) => nodes.flatMap(namesRead))];
}

export function isGraph(value: OnnxAttribute | OnnxGraph): value is OnnxGraph {
  return typeof value === 'object' && 'nodes' in value;
}

export interface OnnxGraph {
  readonly nodes: readonly OnnxNode[];
  readonly initializers: readonly OnnxInitializer[];
  readonly inputs: readonly OnnxValueInfo[];
  readonly outputs: readonly OnnxValueInfo[];
}
