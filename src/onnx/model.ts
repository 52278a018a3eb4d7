// Lowering: a tensor graph as an ONNX graph. Each operator writes itself; here the names are given and constants shared.

import { HeedError } from '../base/error.ts';
import {
  type InputAttributes,
  type KeepMaskAttributes,
  type ParameterAttributes,
  type Tensor,
  topologicalOrder,
} from '../tensor/index.ts';
import type { OnnxGraph, OnnxValueInfo } from './graph.ts';
import { specialProduct } from './products.ts';
import type { QuantizedMatrix } from './quantized.ts';
import { GraphWriter } from './writer.ts';

export interface LowerOptions {
  /** Values of parameters by name. With them parameters become constants of the graph; without, they are inputs. */
  readonly weights?: ReadonlyMap<string, Float32Array>;
  /** Parameters whose products are computed with int8, by name; elsewhere their floats are used. */
  readonly quantized?: ReadonlyMap<string, QuantizedMatrix> | undefined;
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
  const productOf = (node: Tensor) => specialProduct(node, options);
  for (const node of topologicalOrder(Object.values(outputs), (node) => (productOf(node) ?? node).inputs)) {
    names.set(node, lowerNode(node));
  }
  const results = Object.entries(outputs).map(([name, tensor]): OnnxValueInfo => {
    writer.output(names.get(tensor)?.[0] ?? '', name);
    return { name, dtype: tensor.dtype, shape: tensor.shape };
  });
  const { written: nodes, initializers } = writer;
  return { graph: { nodes, initializers, inputs: [...inputs.values()], outputs: results }, keepMasks };

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
      case 'part':
        return node.operator.lower(writer, names.get(node.inputs[0]) ?? [], node);
      default: {
        const product = productOf(node);
        const first = (product ?? node).inputs.map((input) => names.get(input)?.[0] ?? '');
        return product === undefined ? node.operator.lower(writer, first, node) : [product.emit(writer, first)];
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
