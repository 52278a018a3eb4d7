// Lowering: a tensor graph as an ONNX graph. Each operator writes itself; here the names are given and constants shared.

import { HeedError } from '../base/error.ts';
import {
  type EmittedBody,
  type InputAttributes,
  type KeepMaskAttributes,
  type OutputAtAttributes,
  type ParameterAttributes,
  type Tensor,
  topologicalOrder,
} from '../tensor/index.ts';
import { fusedAttention } from './attention.ts';
import type { OnnxGraph, OnnxValueInfo } from './graph.ts';
import { rewrittenProduct } from './products.ts';
import type { QuantizedMatrix } from './quantized.ts';
import { mainOutputs, type Rewriting, rewrittenLayout } from './rewriting.ts';
import { GraphWriter } from './writer.ts';

export interface LowerOptions {
  /** Values of parameters by name. With them parameters become constants of the graph; without, they are inputs. */
  readonly weights?: ReadonlyMap<string, Float32Array>;
  /** Parameters whose products are computed with int8, by name; elsewhere their floats are used. */
  readonly quantized?: ReadonlyMap<string, QuantizedMatrix> | undefined;
  /** Whether a run has so few rows that calls of operators cost more than their computing; default false. */
  readonly fewRows?: boolean;
}

export interface LoweredGraph {
  readonly graph: OnnxGraph;
  /** The dropout masks that the run must be fed, by the name of their input. */
  readonly keepMasks: ReadonlyMap<string, KeepMaskAttributes>;
}

/** The graph that computes the outputs, each under its key. */
export function lower(outputs: Readonly<Record<string, Tensor>>, options: LowerOptions = {}): LoweredGraph {
  const writer = new GraphWriter(lowerBody);
  const inputs = new Map<string, OnnxValueInfo>();
  const keepMasks = new Map<string, KeepMaskAttributes>();
  const names = new Map<Tensor, readonly string[]>();
  const rewritingOf = rewritingsOf(outputs, options);
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

  /** Whatever has no name yet. @returns what got one */
  function lowerAll(results: Iterable<Tensor>, into: GraphWriter): Tensor[] {
    const inputsOf = (node: Tensor) => (names.has(node) ? [] : (rewritingOf(node) ?? node).inputs);
    const order = topologicalOrder(results, inputsOf).filter((node) => !names.has(node));
    for (const { operator, inputs, attributes } of order) {
      if (operator.name !== 'outputAt') continue;
      const { index } = attributes as OutputAtAttributes;
      read.set(inputs[0], (read.get(inputs[0]) ?? new Set()).add(index));
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
    const context = { ...node, isRead: (output: number) => read.get(node)?.has(output) ?? false };
    switch (node.operator.name) {
      case 'input':
        return [declare((node.attributes as InputAttributes).name, node)];
      case 'parameter':
        return [lowerParameter(node)];
      case 'keepMask': {
        const name = `keepMask.${keepMasks.size}`;
        keepMasks.set(name, node.attributes as KeepMaskAttributes);
        return [declare(name, node)];
      }
      case 'outputAt':
        return node.operator.lower(into, names.get(node.inputs[0]) ?? [], context);
      default: {
        const rewriting = rewritingOf(node);
        const inputs = (rewriting ?? node).inputs.map((input) => names.get(input) ?? []);
        return rewriting?.emit(into, inputs) ?? node.operator.lower(into, mainOutputs(inputs), context);
      }
    }
  }

  function lowerParameter(node: Tensor): string {
    const { name, shape } = node.attributes as ParameterAttributes;
    if (options.weights === undefined) return declare(name, node);
    const data = options.weights.get(name);
    if (data === undefined) throw new HeedError('weights', `no parameter named ${name}.`);
    return writer.initializer({ name, shape, data });
  }

  function declare(name: string, { dtype, shape }: Tensor): string {
    if (inputs.has(name)) throw new HeedError('lower', `two inputs are named ${name}.`);
    inputs.set(name, { name, dtype, shape });
    return name;
  }
}

/** How a node is computed if not by its own operator; the same answer each time, since it may make nodes of its own. */
function rewritingsOf(
  outputs: Readonly<Record<string, Tensor>>,
  options: LowerOptions,
): (node: Tensor) => Rewriting | undefined {
  const known = new Map<Tensor, Rewriting | undefined>(options.fewRows ? fusedAttention(Object.values(outputs)) : []);
  return (node) => {
    if (!known.has(node)) known.set(node, rewrittenLayout(node) ?? rewrittenProduct(node, options));
    return known.get(node);
  };
}
