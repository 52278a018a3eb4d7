// For every operator: how to apply it, over which shapes, with which values. Dimensions are letters that a property test binds.

import * as t from '../src/tensor/index.ts';

export interface Case {
  /** The operator's own name, and what is special here. */
  readonly title: string;
  readonly inputs: readonly CaseInput[];
  readonly build: (inputs: t.Tensor[]) => t.Tensor;
  /** Sizes that letters must have; others are drawn from 1…4. */
  readonly sizes?: Readonly<Record<string, number>>;
  /** Inputs whose gradient is compared with finite differences; default: all float inputs. */
  readonly differentiable?: readonly number[];
}

export interface CaseInput {
  readonly shape: t.Shape;
  /** float: about −2…2, away from 0 and from each other, where the functions have kinks; ids: 0…below−1. */
  readonly values: 'float' | 'positive' | { readonly below: number };
}

const float = (...shape: t.Dim[]): CaseInput => ({ shape, values: 'float' });
const positive = (...shape: t.Dim[]): CaseInput => ({ shape, values: 'positive' });
const ids = (below: number, ...shape: t.Dim[]): CaseInput => ({ shape, values: { below } });

const binary: Record<string, (a: t.Tensor, b: t.Tensor) => t.Tensor> = {
  add: t.add,
  subtract: t.subtract,
  multiply: t.multiply,
  divide: t.divide,
};

const broadcasts: readonly (readonly [t.Shape, t.Shape])[] = [
  [
    ['b', 's'],
    ['b', 's'],
  ],
  [['b', 's', 3], [3]],
  [[3], ['b', 's', 3]],
  [
    ['b', 1, 's'],
    ['b', 't', 's'],
  ],
  [
    ['b', 's', 2],
    ['b', 's', 1],
  ],
  [
    ['b', 1, 1, 's'],
    ['b', 2, 't', 's'],
  ],
  [[], ['b', 's']],
];

const elementwise = Object.entries(binary).flatMap(([name, build]) =>
  broadcasts.map(([a, b]): Case => {
    const inputs = [float(...a), name === 'divide' ? positive(...b) : float(...b)];
    return { title: `${name} ${t.formatShape(a)} ${t.formatShape(b)}`, inputs, build: ([x, y]) => build(x, y) };
  }),
);

const unary: Record<string, (x: t.Tensor) => t.Tensor> = {
  exp: t.exp,
  sin: t.sin,
  cos: t.cos,
  sigmoid: t.sigmoid,
  relu: t.relu,
  tanh: t.tanh,
  erf: t.erf,
  gelu: t.gelu,
  silu: t.silu,
  softmax: t.softmax,
  logSoftmax: t.logSoftmax,
  scale: (x) => t.scale(x, -1.5),
  shift: (x) => t.addScalar(x, 0.75),
  mean: t.mean,
  transpose: t.transpose,
};

const placewise = Object.entries(unary).map(
  ([title, build]): Case => ({ title, inputs: [float('b', 's', 4)], build: ([x]) => build(x) }),
);

const products: readonly (readonly [t.Shape, t.Shape])[] = [
  [
    ['n', 'k'],
    ['k', 'm'],
  ],
  [
    ['b', 'n', 3],
    [3, 4],
  ],
  [
    ['b', 'n', 'k'],
    ['b', 'k', 'm'],
  ],
  [
    ['b', 2, 'n', 3],
    ['b', 2, 3, 'm'],
  ],
  [
    ['b', 2, 'n', 3],
    [1, 2, 3, 'm'],
  ],
];

const matmuls = products.map(
  ([a, b]): Case => ({
    title: `matmul ${t.formatShape(a)} ${t.formatShape(b)}`,
    inputs: [float(...a), float(...b)],
    build: ([x, y]) => t.matmul(x, y),
  }),
);

const transposed: Case[] = [
  {
    title: 'matmul second transposed',
    inputs: [float('n', 3), float('m', 3)],
    build: ([a, b]) => t.matmul(a, t.transpose(b)),
  },
  {
    title: 'matmul rows, second transposed',
    inputs: [float('b', 'n', 3), float(4, 3)],
    build: ([a, b]) => t.matmul(a, t.transpose(b)),
  },
  {
    title: 'matmul batched, second transposed',
    inputs: [float('b', 2, 'n', 3), float('b', 2, 'm', 3)],
    build: ([a, b]) => t.matmul(a, t.transpose(b)),
  },
  {
    title: 'matmul batched, first transposed',
    inputs: [float('b', 2, 'k', 'n'), float('b', 2, 'k', 'm')],
    build: ([a, b]) => t.matmul(t.transpose(a), b),
  },
  {
    title: 'matmul batched, both transposed',
    inputs: [float('b', 2, 'k', 'n'), float(1, 2, 'm', 'k')],
    build: ([a, b]) => t.matmul(t.transpose(a), t.transpose(b)),
  },
];

const reductions: Case[] = [
  { title: 'sum all', inputs: [float('b', 's')], build: ([x]) => t.sum(x) },
  { title: 'sum leading', inputs: [float('b', 's', 3)], build: ([x]) => t.sum(x, { axes: [0, 1] }) },
  {
    title: 'sum leading, several left',
    inputs: [float('b', 's', 2, 3)],
    build: ([x]) => t.sum(x, { axes: [1, 0] }),
  },
  { title: 'sum leading, kept', inputs: [float('b', 's', 3)], build: ([x]) => t.sum(x, { axes: [0, 1], keep: true }) },
  { title: 'sum leading, others unknown', inputs: [float('b', 's', 3)], build: ([x]) => t.sum(x, { axes: [0] }) },
  { title: 'sum kept', inputs: [float('b', 's', 3)], build: ([x]) => t.sum(x, { axes: [1, -1], keep: true }) },
  {
    title: 'stretch',
    inputs: [float('b', 1), float('a', 'b', 's')],
    build: ([x, y]) => t.stretchTo(x, y),
    differentiable: [0],
  },
];

const layouts: Case[] = [
  { title: 'reshape split', inputs: [float('b', 's', 6)], build: ([x]) => t.reshape(x, ['b', 's', 2, 3]) },
  { title: 'reshape merged', inputs: [float('b', 's', 2, 3)], build: ([x]) => t.reshape(x, ['b', 's', 6]) },
  { title: 'reshape rows', inputs: [float('b', 's', 3)], build: ([x]) => t.flattenRows(x) },
  { title: 'reshape inserted', inputs: [float('b', 's')], build: ([x]) => t.unsqueeze(x, 1) },
  { title: 'transpose heads', inputs: [float('b', 's', 2, 3)], build: ([x]) => t.permute(x, [0, 2, 1, 3]) },
  { title: 'concatenate known', inputs: [float('b', 2), float('b', 3)], build: (all) => t.concatenate(all, 1) },
  {
    title: 'concatenate named',
    inputs: [float('b', 'p', 2), float('b', 's', 2)],
    build: (all) => t.concatenate(all, 1),
    differentiable: [],
  },
  { title: 'slice', inputs: [float('b', 5, 's')], build: ([x]) => t.slice(x, { axis: 1, start: 1, end: 4 }) },
  { title: 'slice to the end', inputs: [float('b', 5, 's')], build: ([x]) => t.slice(x, { axis: 1, start: 2 }) },
  {
    title: 'slice from the end',
    inputs: [float('b', 5, 's')],
    build: ([x]) => t.slice(x, { axis: 1, start: -4, end: -1 }),
  },
  { title: 'slice but the end', inputs: [float('b', 5)], build: ([x]) => t.slice(x, { axis: 1, start: 1, end: -2 }) },
  {
    title: 'slice of the end of a named length',
    inputs: [float('b', 's'), float('b', 2)],
    build: (all) => t.slice(t.concatenate(all, 1), { axis: 1, start: -2 }),
    differentiable: [],
  },
  {
    title: 'slice of a named length but its end',
    inputs: [float('b', 's'), float('b', 2)],
    build: (all) => t.slice(t.concatenate(all, 1), { axis: 1, start: 0, end: -2 }),
    differentiable: [],
  },
  {
    title: 'slice of a named length',
    inputs: [float('b', 2), float('b', 's')],
    build: (all) => t.slice(t.concatenate(all, 1), { axis: 1, start: 1 }),
    differentiable: [],
  },
  {
    title: 'slice of what is known of a named length',
    inputs: [float('b', 's'), float('b', 2)],
    build: (all) => t.slice(t.concatenate(all, 1), { axis: 1, start: 0, end: 2 }),
    differentiable: [],
  },
  { title: 'pad', inputs: [float('b', 2, 's')], build: ([x]) => t.pad(x, { axis: 1, before: 2, after: 1 }) },
];

const selections: Case[] = [
  { title: 'gather rows', inputs: [float(5, 3), ids(5, 'b', 's')], build: ([x, i]) => t.gather(x, i) },
  { title: 'gather slots', inputs: [float(5, 2, 3), ids(5, 'b')], build: ([x, i]) => t.gather(x, i) },
  { title: 'scatterAdd', inputs: [ids(4, 'b', 's'), float('b', 's', 3)], build: ([i, x]) => t.scatterAdd(i, x, 4) },
  { title: 'top values', inputs: [float('b', 5)], build: ([x]) => t.top(x, 3).values, differentiable: [] },
  { title: 'top places (part)', inputs: [float('b', 5)], build: ([x]) => t.top(x, 2).places },
  { title: 'largest', inputs: [float('b', 's', 5)], build: ([x]) => t.largest(x) },
  { title: 'range', inputs: [float('b', 's')], build: ([x]) => t.range(x, 1), differentiable: [] },
  { title: 'notEqual', inputs: [ids(3, 'b', 's')], build: ([i]) => t.notEqual(i, 1) },
  { title: 'toFloat', inputs: [ids(9, 'b', 's')], build: ([i]) => t.toFloat(i) },
  { title: 'lessOrEqual', inputs: [ids(4, 'b', 1), ids(4, 1, 's')], build: ([i, j]) => t.lessOrEqual(i, j) },
  { title: 'positive', inputs: [float('b', 's')], build: ([x]) => t.positive(x), differentiable: [] },
  { title: 'constant', inputs: [float('b', 2)], build: ([x]) => t.multiply(x, t.constant([2], [0.5, -3])) },
  { title: 'constant ids', inputs: [float(4, 2)], build: ([x]) => t.gather(x, t.constantIds([3], [2, 0, 2])) },
];

const losses = [0, 0.1].flatMap((smoothing): Case[] => [
  {
    title: `crossEntropy ${smoothing}`,
    inputs: [float('b', 's', 5), ids(5, 'b', 's')],
    build: ([x, i]) => t.crossEntropy(x, i, smoothing),
  },
  {
    title: `crossEntropy of a product ${smoothing}`,
    inputs: [float('b', 's', 3), float(3, 5), ids(5, 'b', 's')],
    build: ([x, w, i]) => t.crossEntropy(t.matmul(x, w), i, smoothing),
  },
  {
    title: `crossEntropy of a product with a transposed matrix ${smoothing}`,
    inputs: [float('b', 's', 3), float(5, 3), ids(5, 'b', 's')],
    build: ([x, e, i]) => t.crossEntropy(t.matmul(x, t.transpose(e)), i, smoothing),
  },
  {
    title: `crossEntropy nll (part) ${smoothing}`,
    inputs: [float('b', 's', 5), ids(5, 'b', 's')],
    build: ([x, i]) => t.outputAt(t.crossEntropy(x, i, smoothing), 1),
    differentiable: [],
  },
]);

const normalizations: Case[] = [
  {
    title: 'layerNormalization',
    inputs: [float('b', 's', 6), float(6), float(6)],
    build: ([x, w, b]) => t.layerNormalization(x, w, b, 1e-6),
  },
  {
    title: 'layerNormalization mean (part)',
    inputs: [float('b', 6), float(6), float(6)],
    build: ([x, w, b]) => t.outputAt(t.layerNormalization(x, w, b, 1e-6), 1),
    differentiable: [],
  },
];

/** States [b, 2] of an Elman network: tanh(x W + s U + c) */
function network([x, s, w, u, c]: t.Tensor[], options: { axis: number; reverse?: boolean }): t.ScanResults {
  return t.scan({ states: [s], sequences: [x], ...options }, ([state], [slice]) => {
    const next = t.tanh(t.add(t.add(t.matmul(slice, w), t.matmul(state, u)), c));
    return { states: [next], outputs: [next, t.multiply(state, next)] };
  });
}

const networkInputs = (...x: t.Dim[]) => [float(...x), float('b', 2), float(3, 2), float(2, 2), float(2)];

const recurrences: Case[] = [
  { title: 'scan outputs', inputs: networkInputs('b', 't', 3), build: (all) => network(all, { axis: 1 }).outputs[0] },
  { title: 'scan last state', inputs: networkInputs('b', 't', 3), build: (all) => network(all, { axis: 1 }).states[0] },
  {
    title: 'scan backwards, time first, all results',
    inputs: networkInputs('t', 'b', 3),
    build(all) {
      const { states, outputs } = network(all, { axis: 0, reverse: true });
      return t.add(t.add(outputs[0], states[0]), t.scale(outputs[1], 0.5));
    },
  },
  {
    title: 'scan past masked steps, with tensors around that are not matrices',
    inputs: [float('b', 't', 2), float('b', 2), ids(2, 'b', 't'), float('b', 2), float()],
    build([x, s, real, decay, by]) {
      const { states, outputs } = t.scan(
        { states: [s], sequences: [x, t.toFloat(real)], axis: 1 },
        ([state], [slice, mask]) => {
          const next = t.add(t.multiply(state, t.sigmoid(decay)), t.multiply(slice, by));
          const kept = t.add(state, t.multiply(t.subtract(next, state), t.unsqueeze(mask, -1)));
          return { states: [kept], outputs: [t.sum(kept, { axes: [0] })] };
        },
      );
      return t.add(t.sum(outputs[0]), t.sum(states[0]));
    },
  },
  {
    title: 'scan of ids, with an id as a state',
    inputs: [ids(4, 't', 'b'), ids(4, 'b'), float('b', 3), float(4, 3)],
    build([tokens, first, s, table]) {
      const { outputs } = t.scan({ states: [first, s], sequences: [tokens], axis: 0 }, ([previous, state], [token]) => {
        const next = t.sigmoid(t.multiply(t.add(state, t.gather(table, previous)), t.gather(table, token)));
        return { states: [token, next], outputs: [next] };
      });
      return outputs[0];
    },
  },
  {
    title: 'scan without states, beside transposed and constant tensors',
    inputs: [float('b', 't', 3), float(2, 3)],
    build([x, w]) {
      const { outputs } = t.scan({ states: [], sequences: [x], axis: 1 }, (_, [slice]) => {
        return { states: [], outputs: [t.add(t.matmul(slice, t.transpose(w)), t.constant([2], [1, 2])), w] };
      });
      return t.add(outputs[0], t.sum(outputs[1], { axes: [-1, 0, 1] }));
    },
  },
  {
    title: 'scan within a scan',
    inputs: [float('b', 's', 't'), float('b'), float()],
    build([x, s, factor]) {
      const { outputs } = t.scan({ states: [s], sequences: [x], axis: 2 }, ([state], [column]) => {
        const inner = t.scan({ states: [state], sequences: [column], axis: 1, reverse: true }, ([sum], [entry]) => {
          const next = t.tanh(t.add(t.multiply(sum, factor), t.multiply(entry, state)));
          return { states: [next], outputs: [] };
        });
        return { states: inner.states, outputs: inner.states };
      });
      return outputs[0];
    },
  },
  {
    title: 'scan, second derivative',
    inputs: networkInputs('b', 't', 3),
    build(all) {
      const { outputs } = network(all, { axis: 1 });
      return t.gradients(t.sum(t.multiply(outputs[0], outputs[0])), [all[0]])[0];
    },
  },
];

export const cases: readonly Case[] = [
  ...elementwise,
  ...placewise,
  ...matmuls,
  ...transposed,
  ...reductions,
  ...layouts,
  ...selections,
  ...losses,
  ...normalizations,
  ...recurrences,
];
