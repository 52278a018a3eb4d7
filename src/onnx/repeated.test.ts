import { describe, expect, it } from 'vitest';
import { input, scale, shift } from '../tensor/index.ts';
import { lowerRepeated } from './repeated.ts';

const x = input('x', 'float32', [1]);
const y = input('y', 'float32', [1]);

describe('lowerRepeated', () => {
  it('gives the body names of its own for what is carried and stacked, and leaves the others to the graph around it', () => {
    const doubled = scale(x, 2);
    const { graph } = lowerRepeated({ doubled }, { carried: { x: shift(doubled, 1) }, goesOn: shift(y, 1) });
    expect(graph.inputs.map(({ name }) => name).toSorted()).toEqual(['rounds', 'x', 'y']);
    expect(graph.outputs).toEqual([{ name: 'doubled', dtype: 'float32', shape: ['rounds', 1] }]);
    const [loop] = graph.nodes.slice(-1);
    expect(loop.inputs).toEqual(['rounds.scalar', '', 'x']);
    expect(loop.outputs).toEqual(['last.x', 'doubled']);
    const { body } = loop.attributes;
    if (typeof body !== 'object' || !('nodes' in body)) throw new Error('a loop has a body');
    expect(body.inputs.map(({ name }) => name)).toEqual(['round', 'condition', 'round.x']);
    expect(body.outputs.map(({ name }) => name)).toEqual(['goesOn.scalar', 'next.x', 'round.doubled']);
    const used = body.nodes.flatMap(({ inputs }) => inputs);
    expect(used).toContain('y');
    expect(used).not.toContain('x');
  });

  it('carries inputs only', () => {
    expect(() => lowerRepeated({ x }, { carried: { z: x }, goesOn: x })).toThrow(
      'lower: what is carried from round to round must be an input, got z.',
    );
  });
});
