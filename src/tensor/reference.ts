// The reference evaluator: float64, one operator at a time. The runtime is tested against it.

import { HeedError } from '../base/error.ts';
import { outputAt } from './operators/select.ts';
import { formatShape } from './shape.ts';
import { isA, type Tensor, topologicalOrder } from './tensor.ts';
import type { Value } from './value.ts';

/** The values of the outputs, given those of the leaves: inputs, parameters, keep-masks, or of any other nodes. */
export function evaluate(outputs: readonly Tensor[], leaves: ReadonlyMap<Tensor, Value>): Value[] {
  const computed = new Map<Tensor, readonly Value[]>();
  for (const [leaf, value] of leaves) computed.set(leaf, [value]);
  for (const node of topologicalOrder(outputs, (node) => (leaves.has(node) ? [] : node.inputs))) {
    if (computed.has(node)) continue;
    const inputs = node.inputs.flatMap((input) => {
      const values = computed.get(input) ?? [];
      return isA(node, outputAt) ? values : values.slice(0, 1);
    });
    computed.set(node, node.operator.evaluate(inputs, node.attributes));
  }
  return outputs.map((output) => {
    const value = computed.get(output)?.[0];
    if (value === undefined) throw new HeedError('evaluate', `no value for ${formatShape(output.shape)}.`);
    return value;
  });
}
