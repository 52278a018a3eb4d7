// Lowering: a tensor graph as an ONNX graph. Each operator writes itself; here the names are given and constants shared.

import { HeedError } from '../base/error.ts';
import {
  type EmittedBody,
  isA,
  type KeepMaskAttributes,
  operators,
  type ParameterAttributes,
  type Tensor,
  type TensorOf,
  topologicalOrder,
} from '../tensor/index.ts';
import { attentionFusions } from './fusions/attention.ts';
import { type Fusion, type Fusions, mainOutputs } from './fusions/fusion.ts';
import { layoutFusion } from './fusions/layout.ts';
import { productFusion } from './fusions/products.ts';
import type { OnnxGraph, OnnxValueInfo } from './graph.ts';
import type { LowerOptions } from './options.ts';
import { int8Fusion } from './quantization/product.ts';
import { GraphWriter } from './writer.ts';

export interface LoweredGraph {
  readonly graph: OnnxGraph;
  /** The dropout masks that the run must be fed, by the name of their input. */
  readonly keepMasks: ReadonlyMap<string, KeepMaskAttributes>;
}

/** The graph that computes the outputs, each under its key. @param fusions that the caller has found; default: none */
export function lower(
  outputs: Readonly<Record<string, Tensor>>,
  options: LowerOptions = {},
  fusions: Fusions = new Map(),
): LoweredGraph {
  const writer = new GraphWriter(lowerBody);
  const inputs = new Map<string, OnnxValueInfo>();
  const keepMasks = new Map<string, KeepMaskAttributes>();
  const names = new Map<Tensor, readonly string[]>();
  const fusionOf = fusionsOf(outputs, options, fusions);
  const read = new Map<Tensor, Set<number>>();
  lowerAll(Object.values(outputs), writer);
  const results = Object.entries(outputs).map(([name, tensor]): OnnxValueInfo => {
    writer.output(names.get(tensor)?.[0] ?? '', name);
    return { name, dtype: tensor.dtype, shape: tensor.shape };
  });
  const { initializers } = writer;
  return {
    graph: { nodes: writer.withoutUnused(), initializers, inputs: [...inputs.values()], outputs: results },
    keepMasks,
  };

  /** Lowers what has no name yet, and returns it. */
  function lowerAll(results: Iterable<Tensor>, into: GraphWriter): Tensor[] {
    const inputsOf = (node: Tensor) => (names.has(node) ? [] : (fusionOf(node) ?? node).inputs);
    const order = topologicalOrder(results, inputsOf).filter((node) => !names.has(node));
    for (const node of order) {
      if (!isA(node, operators.outputAt)) continue;
      const [source] = node.inputs;
      read.set(source, (read.get(source) ?? new Set()).add(node.attributes.index));
    }
    for (const node of order) names.set(node, lowerNode(node, into));
    return order;
  }

  /** The names within a body are forgotten afterwards, since another body may be of the same nodes. */
  function lowerBody(into: GraphWriter, { leaves, results }: EmittedBody, leafNames: readonly string[]): string[] {
    leaves.forEach((leaf, i) => {
      names.set(leaf, [leafNames[i]]);
    });
    const lowered = lowerAll(results, into);
    const resultNames = results.map((result) => names.get(result)?.[0] ?? '');
    for (const node of [...leaves, ...lowered]) names.delete(node);
    return resultNames;
  }

  function lowerNode(node: Tensor, into: GraphWriter): readonly string[] {
    const fusion = fusionOf(node);
    const inputs = (fusion ?? node).inputs.map((input) => names.get(input) ?? []);
    if (fusion !== undefined) return fusion.emit(into, inputs);
    if (isA(node, operators.input)) return [declare(node.attributes.name, node)];
    if (isA(node, operators.parameter)) return [lowerParameter(node)];
    if (isA(node, operators.keepMask)) return [lowerKeepMask(node)];
    const context = { ...node, isRead: (output: number) => read.get(node)?.has(output) ?? false };
    return node.operator.lower(into, isA(node, operators.outputAt) ? inputs[0] : mainOutputs(inputs), context);
  }

  function lowerParameter(node: TensorOf<ParameterAttributes>): string {
    const { name, shape } = node.attributes;
    if (options.weights === undefined) return declare(name, node);
    const data = options.weights.get(name);
    if (data === undefined) throw new HeedError('weights', `no parameter named ${name}.`);
    return writer.initializer({ name, shape, data });
  }

  function lowerKeepMask(node: TensorOf<KeepMaskAttributes>): string {
    const name = `keepMask.${keepMasks.size}`;
    keepMasks.set(name, node.attributes);
    return declare(name, node);
  }

  function declare(name: string, { dtype, shape }: Tensor): string {
    if (inputs.has(name)) throw new HeedError('lower', `two inputs are named ${name}.`);
    inputs.set(name, { name, dtype, shape });
    return name;
  }
}

/** How a node is computed if not by its own operator; the same answer each time, since it may make nodes of its own. */
function fusionsOf(
  outputs: Readonly<Record<string, Tensor>>,
  options: LowerOptions,
  given: Fusions,
): (node: Tensor) => Fusion | undefined {
  const attentions = options.fewRows ? attentionFusions(Object.values(outputs), options) : [];
  const known = new Map<Tensor, Fusion | undefined>([...attentions, ...given]);
  return (node) => {
    if (!known.has(node)) {
      known.set(node, layoutFusion(node) ?? int8Fusion(node, options) ?? productFusion(node, options));
    }
    return known.get(node);
  };
}
