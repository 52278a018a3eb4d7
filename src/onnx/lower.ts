// Lowering: a tensor graph as an ONNX graph. Each operator writes itself; here the names are given and constants shared.

import { HeedError } from '../base/error.ts';
import {
  type InputAttributes,
  type KeepMaskAttributes,
  type ParameterAttributes,
  type Tensor,
  topologicalOrder,
} from '../tensor/index.ts';
import { fusedAttention } from './fusions/attention.ts';
import { mainOutputs, type Rewriting, rewrittenLayout } from './fusions/layout.ts';
import { rewrittenProduct } from './fusions/products.ts';
import type { OnnxGraph, OnnxValueInfo } from './graph.ts';
import type { QuantizedMatrix } from './quantization/matrix.ts';
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
  const writer = new GraphWriter();
  const inputs = new Map<string, OnnxValueInfo>();
  const keepMasks = new Map<string, KeepMaskAttributes>();
  const names = new Map<Tensor, readonly string[]>();
  const rewritingOf = rewritingsOf(outputs, options);
  for (const node of topologicalOrder(Object.values(outputs), (node) => (rewritingOf(node) ?? node).inputs)) {
    names.set(node, lowerNode(node));
  }
  const results = Object.entries(outputs).map(([name, tensor]): OnnxValueInfo => {
    writer.output(names.get(tensor)?.[0] ?? '', name);
    return { name, dtype: tensor.dtype, shape: tensor.shape };
  });
  const { initializers } = writer;
  return {
    graph: { nodes: writer.withoutUnused(), initializers, inputs: [...inputs.values()], outputs: results },
    keepMasks,
  };

  function lowerNode(node: Tensor): readonly string[] {
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
        return node.operator.lower(writer, names.get(node.inputs[0]) ?? [], node);
      default: {
        const rewriting = rewritingOf(node);
        const inputs = (rewriting ?? node).inputs.map((input) => names.get(input) ?? []);
        return rewriting?.emit(writer, inputs) ?? node.operator.lower(writer, mainOutputs(inputs), node);
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
