import { describe, expect, it } from 'vitest';
import { add, addScalar, input, scale } from '../../tensor/index.ts';
import type { OnnxGraph, OnnxNode } from '../graph.ts';
import { lowerLoop } from './lower-loop.ts';

const x = input('x', 'float32', [1]);
const y = input('y', 'float32', [1]);

function loopOf({ nodes }: OnnxGraph): OnnxNode {
  const [loop] = nodes.slice(-1);
  expect(loop.type).toBe('Loop');
  return loop;
}

function bodyOf({ attributes: { body } }: OnnxNode) {
  if (typeof body !== 'object' || !('nodes' in body)) throw new Error('a loop has a body');
  return {
    inputs: body.inputs.map(({ name }) => name),
    outputs: body.outputs.map(({ name }) => name),
    used: body.nodes.flatMap(({ inputs }) => inputs),
    types: body.nodes.map(({ type }) => type),
  };
}

describe('lowerRepeated', () => {
  it('gives the body names of its own for what is carried and stacked, and leaves the others to the graph around it', () => {
    const doubled = scale(x, 2);
    const { graph } = lowerLoop({ doubled }, { carried: { x: add(doubled, y) }, condition: addScalar(doubled, 1) });
    expect(graph.inputs.map(({ name }) => name).toSorted()).toEqual(['iterations', 'x', 'y']);
    expect(graph.outputs).toEqual([{ name: 'doubled', dtype: 'float32', shape: ['iterations', 1] }]);
    const node = loopOf(graph);
    expect(node.inputs).toEqual(['iterations.scalar', '', 'x']);
    expect(node.outputs).toEqual(['final.x', 'doubled']);
    const { inputs, outputs, used } = bodyOf(node);
    expect(inputs).toEqual(['iteration', 'condition.before', 'iteration.x']);
    expect(outputs).toEqual(['condition.scalar', 'next.x', 'iteration.doubled']);
    expect(used).toContain('y');
    expect(used).not.toContain('x');
  });

  it('computes once, before the loop, what no iteration changes', () => {
    const moved = addScalar(y, 1);
    const { graph } = lowerLoop({ sum: add(x, moved) }, { carried: { x: add(x, moved) }, condition: moved });
    expect(graph.nodes.map(({ type }) => type)).toEqual(['Cast', 'Squeeze', 'Add', 'Loop']);
    expect(graph.initializers).toHaveLength(1);
    const { used, types } = bodyOf(loopOf(graph));
    expect(types.filter((type) => type === 'Add')).toHaveLength(2);
    expect(used).not.toContain('y');
  });

  it('starts with what it is told to instead of what it would be fed', () => {
    const loop = { carried: { x: scale(x, 2) }, initial: { x: addScalar(y, 3) }, condition: x };
    const { graph } = lowerLoop({ x }, loop);
    expect(graph.inputs.map(({ name }) => name)).toEqual(['iterations', 'y']);
    expect(loopOf(graph).inputs).toEqual(['iterations.scalar', '', 'initial.x']);
  });

  it('needs an engine with loops', () => {
    const lowered = () => lowerLoop({ x }, { carried: { x }, condition: x }, { supports: (type) => type !== 'Loop' });
    expect(lowered).toThrow('lower: a loop needs an engine with the operator Loop; run its iterations one by one.');
  });

  it('carries inputs only', () => {
    expect(() => lowerLoop({ x }, { carried: { z: x }, condition: x })).toThrow(
      'lower: a loop-carried value must be an input, got z.',
    );
  });
});
