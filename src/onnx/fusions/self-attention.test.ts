import { describe, expect, it } from 'vitest';
import {
  add,
  addScalar,
  concatenate,
  input,
  matmul,
  parameter,
  permute,
  relu,
  reshape,
  scale,
  softmax,
  sum,
  type Tensor,
  transpose,
} from '../../tensor/index.ts';
import type { OnnxGraph } from '../graph.ts';
import { lowerLoop } from '../loop/lower-loop.ts';
import type { LowerOptions } from '../options.ts';
import { quantizeMatrix } from '../quantization/matrix.ts';

const ATTENTION = 'com.microsoft:Attention';

const weights = new Map(
  ['query', 'key', 'value'].flatMap((name, i) => [
    [`${name}.weight`, Float32Array.of(i, i + 0.1, i + 0.2, i + 0.3)] as const,
    [`${name}.bias`, Float32Array.of(10 * i, 10 * i + 1)] as const,
  ]),
);

const x = input('x', 'float32', [1, 1, 2]);
const past = {
  keys: input('keys', 'float32', [1, 1, 'slots', 2]),
  values: input('values', 'float32', [1, 1, 'slots', 2]),
};

/** The one head of a linear map of two dimensions. */
function projected(name: string, from: Tensor): Tensor {
  const weight = parameter(`${name}.weight`, [2, 2], { kind: 'constant', value: 0 });
  const bias = parameter(`${name}.bias`, [2], { kind: 'constant', value: 0 });
  return permute(reshape(add(matmul(from, weight), bias), [1, 1, 1, 2]), [0, 2, 1, 3]);
}

interface Variant {
  /** Added to the scores. */
  readonly penalty?: Tensor;
  /** What keys are projected from; default: x, as queries and values. */
  readonly keysFrom?: Tensor;
  /** Loop-carried inputs. */
  readonly carried?: readonly (keyof typeof past)[];
  /** Whether weights are inputs of the run instead of constants. */
  readonly isFed?: boolean;
  /** What else the loop returns, given the keys of the step. */
  readonly more?: (keys: Tensor) => Record<string, Tensor>;
}

/** A loop whose iterations attend to x and to what came before. */
function lowered(variant: Variant = {}, options: LowerOptions = {}): OnnxGraph {
  const { penalty, keysFrom = x, carried = ['keys', 'values'], isFed = false, more } = variant;
  const present = { keys: projected('key', keysFrom), values: projected('value', x) };
  const next = (name: keyof typeof past) => concatenate([past[name], present[name]], 2);
  const scores = scale(matmul(projected('query', x), transpose(next('keys'))), 0.5);
  const heads = matmul(softmax(penalty === undefined ? scores : add(scores, penalty)), next('values'));
  const output = addScalar(reshape(permute(heads, [0, 2, 1, 3]), [1, 1, 2]), 1);
  const loop = {
    carried: { x: output, ...Object.fromEntries(carried.map((name) => [name, next(name)])) },
    condition: reshape(sum(output), [1]),
    results: { keys: relu(past.keys) },
  };
  return lowerLoop({ output, ...more?.(present.keys) }, loop, {
    ...(isFed ? {} : { weights }),
    fewRows: true,
    ...options,
  }).graph;
}

function bodyOf({ nodes }: OnnxGraph): OnnxGraph {
  const body = nodes.find(({ type }) => type === 'Loop')?.attributes.body;
  if (typeof body !== 'object' || !('nodes' in body)) throw new Error('a loop has a body');
  return body;
}

const typesOf = ({ nodes }: OnnxGraph) => nodes.map(({ type }) => type);

describe('the self-attention of a loop', () => {
  const graph = lowered();
  const body = bodyOf(graph);

  it('is one operator, projections and heads', () => {
    expect(typesOf(body).filter((type) => /Attention|MatMul|Softmax/.test(type))).toEqual([ATTENTION]);
    const attention = body.nodes.find(({ type }) => type === ATTENTION);
    expect(attention).toMatchObject({
      inputs: ['iteration.x', 'keys+values.weight', 'keys+values.bias', '', 'iteration.keys+values'],
      attributes: { num_heads: 1, scale: { float: 0.5 } },
    });
    const [weight, bias] = ['weight', 'bias'].map((part) =>
      graph.initializers.find(({ name }) => name === `keys+values.${part}`),
    );
    const rows = [0, 0.1, 1, 1.1, 2, 2.1, 0.2, 0.3, 1.2, 1.3, 2.2, 2.3];
    expect(weight).toMatchObject({ shape: [2, 6], data: Float32Array.from(rows) });
    expect(bias).toMatchObject({ shape: [6], data: Float32Array.of(0, 1, 10, 11, 20, 21) });
  });

  it('has past keys and values in one loop-carried value', () => {
    const stack = body.inputs.find(({ name }) => name === 'iteration.keys+values');
    expect(stack?.shape).toEqual([2, 1, 1, 'slots', 2]);
    expect(body.inputs.map(({ name }) => name)).not.toContain('iteration.keys');
    expect(graph.inputs.map(({ name }) => name)).toEqual(['iterations', 'x', 'keys', 'values']);
  });

  it('gives the keys apart after the loop', () => {
    const after = graph.nodes.slice(typesOf(graph).indexOf('Loop') + 1);
    expect(after.map(({ type }) => type)).toEqual(['Gather', 'Relu', 'Identity']);
    expect(after[0].inputs[0]).toBe('final.keys+values');
  });

  const quantized = new Map([...weights].map(([name, data]) => [name, quantizeMatrix({ shape: [2, 2], data }, 1)]));
  const inputRange = { limit: 1, isNonNegative: false };
  const int8 = new Map([...quantized].map(([name, matrix]) => [name, { ...matrix, inputRange }]));
  it.each<[string, Variant, LowerOptions]>([
    ['scores have a penalty', { penalty: input('penalty', 'float32', [1, 1, 1, 'slots+1']) }, {}],
    ['keys are not carried', { carried: ['values'] }, {}],
    ['something else reads the keys of the step', { more: (keys) => ({ keysOfStep: relu(keys) }) }, {}],
    ['something else reads the keys of the past', { more: () => ({ keysOfPast: relu(past.keys) }) }, {}],
    ['something else is projected to keys', { keysFrom: relu(x) }, {}],
    ['weights are fed', { isFed: true }, {}],
    ['its products are of int8', {}, { quantized: int8 }],
    ['the engine has no such operator', {}, { supports: (type) => type !== ATTENTION }],
    ['there are many rows', {}, { fewRows: false }],
  ])('stays as it is where %s', (_, variant, options) => {
    const types = typesOf(bodyOf(lowered(variant, options)));
    expect(types).not.toContain(ATTENTION);
    expect(types.some((type) => /MultiHeadAttention|Softmax/.test(type))).toBe(true);
  });
});
