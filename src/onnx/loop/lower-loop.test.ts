import { describe, expect, it } from 'vitest';
import { add, addScalar, input, scale } from '../../tensor/index.ts';
import type { OnnxGraph, OnnxNode } from '../graph.ts';
import { lowerRepeated } from './lower-loop.ts';

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
    const { graph } = lowerRepeated({ doubled }, { carried: { x: add(doubled, y) }, goesOn: addScalar(doubled, 1) });
    expect(graph.inputs.map(({ name }) => name).toSorted()).toEqual(['rounds', 'x', 'y']);
    expect(graph.outputs).toEqual([{ name: 'doubled', dtype: 'float32', shape: ['rounds', 1] }]);
    const loop = loopOf(graph);
    expect(loop.inputs).toEqual(['rounds.scalar', '', 'x']);
    expect(loop.outputs).toEqual(['last.x', 'doubled']);
    const { inputs, outputs, used } = bodyOf(loop);
    expect(inputs).toEqual(['round', 'condition', 'round.x']);
    expect(outputs).toEqual(['goesOn.scalar', 'next.x', 'round.doubled']);
    expect(used).toContain('y');
    expect(used).not.toContain('x');
  });

  it('computes once, before the rounds, what none of them changes', () => {
    const moved = addScalar(y, 1);
    const { graph } = lowerRepeated({ sum: add(x, moved) }, { carried: { x: add(x, moved) }, goesOn: moved });
    expect(graph.nodes.map(({ type }) => type)).toEqual(['Cast', 'Squeeze', 'Add', 'Loop']);
    expect(graph.initializers).toHaveLength(1);
    const { used, types } = bodyOf(loopOf(graph));
    expect(types.filter((type) => type === 'Add')).toHaveLength(2);
    expect(used).not.toContain('y');
  });

  it('starts with what it is told to instead of what it would be fed', () => {
    const repetition = { carried: { x: scale(x, 2) }, initial: { x: addScalar(y, 3) }, goesOn: x };
    const { graph } = lowerRepeated({ x }, repetition);
    expect(graph.inputs.map(({ name }) => name)).toEqual(['rounds', 'y']);
    expect(loopOf(graph).inputs).toEqual(['rounds.scalar', '', 'first.x']);
  });

  it('carries inputs only', () => {
    expect(() => lowerRepeated({ x }, { carried: { z: x }, goesOn: x })).toThrow(
      'lower: what is carried from round to round must be an input, got z.',
    );
  });
});
