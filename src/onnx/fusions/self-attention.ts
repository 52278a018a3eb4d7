// The self-attention of a loop's body as one operator of the engine, with the projections of queries, keys and values: for one
// sentence with one hypothesis, calling seven operators costs more than computing them. The sums are the same, bit for bit. The
// operator has past keys and values in one tensor [2, 1, H, P, K], which is loop-carried therefore.

import {
  concatenate,
  constantIds,
  gather,
  type InputAttributes,
  input,
  isA,
  operators,
  type ParameterAttributes,
  reshape,
  sameShape,
  type Tensor,
  type TensorOf,
  topologicalOrder,
} from '../../tensor/index.ts';
import type { OnnxInitializer } from '../graph.ts';
import type { LoopBody } from '../loop/body.ts';
import { isSupported, type LowerOptions } from '../options.ts';
import * as patterns from '../pattern.ts';
import { int8Matrix } from '../quantization/product.ts';
import { type Fusion, mainOutputs, outputOf, replacedBy } from './fusion.ts';
import { attributesOf, concatenatedHeads, isOf, splitHeads } from './heads.ts';

const OPERATOR = 'com.microsoft:Attention';

const { add, any, as, match, matmul, parameter, scale, softmax, transpose } = patterns;

/** Heads of x W + b. */
const projected = <W extends string, B extends string>(weight: W, bias: B) =>
  splitHeads(add(matmul(any('x'), parameter(weight)), parameter(bias)));
const queries = as('queries', projected('queryWeight', 'queryBias'));
const keys = patterns.concatenate([any('pastKeys'), as('keys', projected('keyWeight', 'keyBias'))], 2);
const values = patterns.concatenate([any('pastValues'), as('values', projected('valueWeight', 'valueBias'))], 2);
/** softmax(Q Kᵀ · factor) V, heads side by side; Q, K and V are linear maps of one x, K and V behind the past. */
const selfAttention = concatenatedHeads(matmul(softmax(scale(matmul(queries, transpose(keys)), 'factor')), values));

/** A self-attention as it is found in a body. */
interface SelfAttention {
  /** [1, W, D] */
  readonly x: Tensor;
  /** [1, H, W, K] */
  readonly queries: Tensor;
  /** What scores are multiplied by. */
  readonly factor: number;
  /** Past keys and values, inputs [1, H, P, K] that are loop-carried. */
  readonly past: readonly TensorOf<InputAttributes>[];
  /** Of queries, keys and values. */
  readonly weights: readonly TensorOf<ParameterAttributes>[];
  readonly biases: readonly TensorOf<ParameterAttributes>[];
}

/** The same loop with each self-attention that allows it as one operator. */
export function withFusedSelfAttention(loop: LoopBody, options: LowerOptions): LoopBody {
  if (!options.fewRows || !isSupported(OPERATOR, options)) return loop;
  return nodesOf(loop).reduce((fused, node) => {
    const found = selfAttentionAt(node, fused, options);
    if (found === undefined) return fused;
    const next = fuse(fused, { node, ...found }, options);
    if (next === undefined) return fused;
    // What something else needs, too, would be computed twice.
    const needed = new Set(nodesOf(next));
    return [...found.past, ...found.weights, ...found.biases].some((part) => needed.has(part)) ? fused : next;
  }, loop);
}

/** All that an iteration computes, each node after its inputs. */
function nodesOf({ outputs, carried, condition, fusions }: LoopBody): Tensor[] {
  const ends = [...Object.values(outputs), ...Object.values(carried), condition];
  return topologicalOrder(ends, (node) => (fusions.get(node) ?? node).inputs);
}

function selfAttentionAt(node: Tensor, { carried }: LoopBody, options: LowerOptions): SelfAttention | undefined {
  const found = match(selfAttention, node);
  if (found === undefined) return undefined;
  const { x, pastKeys, pastValues } = found;
  const weights = [found.queryWeight, found.keyWeight, found.valueWeight];
  const past = [
    { past: pastKeys, present: found.keys },
    { past: pastValues, present: found.values },
  ].flatMap(({ past, present }) => {
    return isA(past, operators.input) && isOf({ past, present }, carried[past.attributes.name]) ? [past] : [];
  });
  if (past.length < 2) return undefined;
  if (weights.some((weight) => int8Matrix({ x, factor: weight }, options) !== undefined)) return undefined;
  return {
    ...found,
    past,
    weights,
    biases: [found.queryBias, found.keyBias, found.valueBias],
  };
}

/** Undefined where parameters are fed to the run, or of different shapes. @param node where the heads come together */
function fuse(
  loop: LoopBody,
  { node, ...found }: SelfAttention & { node: Tensor },
  options: LowerOptions,
): LoopBody | undefined {
  const { past } = found;
  const names = past.map(({ attributes }) => attributes.name);
  const name = names.join('+');
  const stack = input(name, past[0].dtype, [2, ...past[0].shape]);
  const attention = attentionFusion(found, stack, { ...options, name });
  if (attention === undefined) return undefined;
  const nextStack = stacked(names.map((one) => loop.carried[one]));
  const results = topologicalOrder(Object.values(loop.results)).flatMap((leaf) => {
    const index = isA(leaf, operators.input) ? names.indexOf(leaf.attributes.name) : -1;
    return index < 0 ? [] : [[leaf, replacedBy(gather(stack, constantIds([], [index])))] as const];
  });
  const others = (values: Readonly<Record<string, Tensor>>) =>
    Object.entries(values).filter(([other]) => !names.includes(other));
  return {
    ...loop,
    carried: Object.fromEntries([...others(loop.carried), [name, nextStack]]),
    initial: Object.fromEntries([
      ...others(loop.initial),
      [name, stacked(past.map(({ attributes }) => loop.initial[attributes.name] ?? fed(attributes)))],
    ]),
    fusions: new Map([...loop.fusions, [node, attention], [nextStack, outputOf(node, 1)], ...results]),
  };
}

/** Its outputs: heads side by side [1, W, H·K], and the next stack of keys and values. */
function attentionFusion(
  { x, queries, factor, weights, biases }: SelfAttention,
  stack: Tensor,
  { name, ...options }: LowerOptions & { name: string },
): Fusion | undefined {
  const weight = mergedParameter(`${name}.weight`, weights, options);
  const bias = mergedParameter(`${name}.bias`, biases, options);
  if (weight === undefined || bias === undefined) return undefined;
  return {
    inputs: [x, stack],
    emit(writer, inputs) {
      const [rows, before] = mainOutputs(inputs);
      // Left out is a mask of whole keys.
      const all = [rows, writer.initializer(weight), writer.initializer(bias), '', before];
      return writer.nodes(OPERATOR, all, 2, attributesOf(queries, factor));
    },
  };
}

/** An input of its own: the one in the body is a part of the stack. */
function fed({ name, dtype, shape }: InputAttributes): Tensor {
  return input(name, dtype, shape);
}

/** Keys and values [1, H, P, K] → [2, 1, H, P, K] */
function stacked(parts: readonly Tensor[]): Tensor {
  return reshape(concatenate(parts, 0), [parts.length, ...parts[0].shape]);
}

/** Matrices [D, n] as one [D, 3·n], or rows [n] as [3·n]; undefined if they are not constants of one shape. */
function mergedParameter(
  name: string,
  parameters: readonly TensorOf<ParameterAttributes>[],
  { weights }: LowerOptions,
): OnnxInitializer | undefined {
  const [{ shape }] = parameters.map(({ attributes }) => attributes);
  const parts = parameters.flatMap(({ attributes }) => weights?.get(attributes.name) ?? []);
  if (parts.length < parameters.length || parameters.some((one) => !sameShape(one.shape, shape))) return undefined;
  const width = shape[shape.length - 1];
  const data = new Float32Array(parts.length * parts[0].length);
  for (let from = 0, to = 0; to < data.length; from += width) {
    for (const part of parts) {
      data.set(part.subarray(from, from + width), to);
      to += width;
    }
  }
  return { name, shape: [...shape.slice(0, -1), parts.length * width], data };
}
