// The interface of operators: shape rule, ONNX lowering, reference evaluation and derivative.

import type * as Functions from './functions.ts';
import type { Shape } from './shape.ts';
import type { Tensor, TensorOf } from './tensor.ts';
import type { Value } from './value.ts';

export type DType = 'float32' | 'int32' | 'int64' | 'bool';

export interface TensorType {
  readonly dtype: DType;
  readonly shape: Shape;
}

export type Operator<A> = OperatorFacets<A> & (FirstOutputGradient<A> | AllOutputsGradient<A>);

interface OperatorFacets<A> {
  readonly name: string;
  /** Shape rule: the types of the outputs. @throws HeedError naming the operator, the rule and the shapes. */
  infer(inputs: readonly Tensor[], attributes: A): readonly TensorType[];
  /**
   * Optional optimisation: if this node is the gradient of a product a [… n, k] × b [k, m], the gradients of both factors, written
   * without this node.
   */
  factorGradients?(node: TensorOf<A>, factors: readonly [a: Tensor, b: Tensor], f: typeof Functions): [Tensor, Tensor];
  /** Lowering to ONNX: emits nodes and returns the names of the outputs. */
  lower(emit: Emitter, inputs: readonly string[], context: LowerContext<A>): readonly string[];
  /** Reference evaluation: the outputs in float64, written for clarity. */
  evaluate(inputs: readonly Value[], attributes: A): readonly Value[];
}

interface FirstOutputGradient<A> {
  /** Derivative rule: for each input the gradient of the loss, or undefined if there is none. */
  gradient(context: GradientContext<A>): readonly (Tensor | undefined)[];
}

interface AllOutputsGradient<A> {
  /** The same for operators with differentiable outputs besides the first. */
  gradientOfOutputs(context: OutputsGradientContext<A>): readonly (Tensor | undefined)[];
}

export interface OutputsGradientContext<A> extends Omit<GradientContext<A>, 'gradient'> {
  /** Gradient of the loss with respect to each output; undefined if there is none. */
  readonly gradients: readonly (Tensor | undefined)[];
  /** For each input, whether its gradient is needed. */
  readonly needed: readonly boolean[];
}

export interface GradientContext<A> {
  readonly inputs: readonly Tensor[];
  readonly attributes: A;
  /** The node itself. */
  readonly output: Tensor;
  /** Gradient of the loss with respect to the node. */
  readonly gradient: Tensor;
  /** Graph functions for derivative rules, passed as an argument to avoid import circles. */
  readonly f: typeof Functions;
}

interface LowerContext<A> {
  readonly attributes: A;
  readonly inputs: readonly Tensor[];
  readonly outputs: readonly TensorType[];
  /** Whether anything reads an output other than the first. */
  isRead(output: number): boolean;
}

/** An attribute of an ONNX node: a whole number, whole numbers, or text; a float is wrapped, since 1 could be either. */
export type OnnxAttribute = number | readonly number[] | string | { readonly float: number };

/** A graph within a node; tensors that it reads, other than its leaves, are captured from the enclosing graph. */
export interface EmittedBody {
  /** Inputs of each iteration of the body. */
  readonly leaves: readonly Tensor[];
  readonly results: readonly Tensor[];
}

/** The ONNX builder of lowerings; names are those of values in the ONNX graph. */
export interface Emitter {
  /** A node with one output. */
  node(type: string, inputs: readonly string[], attributes?: Readonly<Record<string, OnnxAttribute>>): string;
  /** A node with several outputs. */
  nodes(
    type: string,
    inputs: readonly string[],
    count: number,
    attributes?: Readonly<Record<string, OnnxAttribute>>,
  ): string[];
  /** A node with a graph as its attribute `body`, and as many outputs as the body has results. */
  nodeWithBody(
    type: string,
    inputs: readonly string[],
    body: EmittedBody,
    attributes?: Readonly<Record<string, OnnxAttribute>>,
  ): string[];
  /** A float32 constant; a number without a shape is a scalar. */
  floats(values: ArrayLike<number> | number, shape?: readonly number[]): string;
  /** An int32 constant. */
  int32s(values: ArrayLike<number> | number, shape?: readonly number[]): string;
  /** An int64 constant vector, as ONNX wants for shapes and axes. */
  int64s(values: readonly number[]): string;
}

/** The derivative of operators without gradients. */
export function noGradient(context: { inputs: readonly Tensor[] }): undefined[] {
  return context.inputs.map(() => undefined);
}
