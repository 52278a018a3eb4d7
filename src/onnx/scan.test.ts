// How the body of a scan is written.

import { describe, expect, it } from 'vitest';
import {
  add,
  addScalar,
  input,
  layerNormalization,
  matmul,
  multiply,
  outputAt,
  parameter,
  scan,
  sum,
  tanh,
} from '../tensor/index.ts';
import { isGraph, type OnnxGraph, type OnnxNode } from './graph.ts';
import { lowerLoop } from './loop/lower-loop.ts';
import { lower } from './lower.ts';
import { quantizationAxes, quantizeMatrix } from './quantization/matrix.ts';

const x = input('x', 'float32', ['batch', 'time', 3]);
const initial = input('initial', 'float32', ['batch', 3]);
const weight = parameter('weight', [3, 3], { kind: 'constant', value: 1 });

const { states, outputs } = scan({ states: [initial], sequences: [x], axis: 1 }, ([state], [slice]) => {
  const next = tanh(addScalar(add(slice, matmul(state, weight)), 0.5));
  return { states: [next], outputs: [multiply(next, next)] };
});

function nodesOf({ nodes }: OnnxGraph, type: string): OnnxNode[] {
  return nodes.filter((node) => node.type === type);
}

function bodyOf({ attributes: { body } }: OnnxNode): OnnxGraph {
  if (body === undefined || !isGraph(body)) throw new Error('no body');
  return body;
}

describe('a scan', () => {
  it('has a body with names of its own, and constants of the graph around', () => {
    const { graph } = lower({ last: states[0], all: outputs[0] });
    expect(graph.inputs.map(({ name }) => name).toSorted()).toEqual(['initial', 'weight', 'x']);
    const [node] = nodesOf(graph, 'Scan');
    const body = bodyOf(node);
    expect(body.initializers).toEqual([]);
    expect(body.inputs.map(({ shape }) => shape)).toEqual([
      ['batch', 3],
      ['batch', 3],
    ]);
    expect(nodesOf(body, 'MatMul')[0].inputs[1]).toBe('weight');
    const around = new Set(graph.nodes.flatMap((one) => one.outputs));
    expect(body.nodes.flatMap((one) => one.outputs).filter((name) => around.has(name))).toEqual([]);
  });

  it('computes no more than is read', () => {
    const [last] = nodesOf(lower({ last: states[0] }).graph, 'Scan');
    expect(last.outputs).toHaveLength(1);
    expect(nodesOf(bodyOf(last), 'Mul')).toEqual([]);
    const [both] = nodesOf(lower({ last: states[0], all: outputs[0] }).graph, 'Scan');
    expect(both.outputs).toHaveLength(2);
  });

  it('keeps what only a body reads of a node with optional outputs', () => {
    const one = parameter('one', [3], { kind: 'constant', value: 1 });
    const normalized = layerNormalization(initial, one, one, 1e-6);
    const { outputs: shifted } = scan({ states: [], sequences: [x], axis: 1 }, (_, [slice]) => {
      return { states: [], outputs: [add(slice, outputAt(normalized, 1))] };
    });
    const { graph } = lower({ shifted: shifted[0] });
    expect(nodesOf(graph, 'LayerNormalization')[0].outputs).toHaveLength(2);
  });
});

describe('a scan with int8 weights', () => {
  it('has the products of its body in whole numbers, with a scale for each column', () => {
    expect(quantizationAxes(outputs)).toEqual(new Map([['weight', 1]]));
    const data = Float32Array.from({ length: 9 }, (_, i) => i - 4);
    const quantized = new Map([['weight', quantizeMatrix({ shape: [3, 3], data }, 1)]]);
    const { graph } = lower({ all: outputs[0] }, { weights: new Map([['weight', data]]), quantized });
    const body = bodyOf(nodesOf(graph, 'Scan')[0]);
    expect(nodesOf(body, 'com.microsoft:MatMulIntegerToFloat')[0].inputs[1]).toBe('weight.int8');
    expect(nodesOf(body, 'MatMul')).toEqual([]);
  });
});

describe('a scan in a loop', () => {
  it('belongs to the iterations if its body reads what is loop-carried, under the name it has there', () => {
    const carried = input('carried', 'float32', ['batch', 3]);
    const { outputs: moved } = scan({ states: [], sequences: [x], axis: 1 }, (_, [slice]) => {
      return { states: [], outputs: [add(slice, carried)] };
    });
    const next = sum(moved[0], { axes: [1] });
    const { graph } = lowerLoop({ next }, { carried: { carried: next }, condition: sum(next) });
    expect(nodesOf(graph, 'Scan')).toEqual([]);
    const [node] = nodesOf(bodyOf(nodesOf(graph, 'Loop')[0]), 'Scan');
    expect(nodesOf(bodyOf(node), 'Add')[0].inputs[1]).toBe('iteration.carried');
  });
});
