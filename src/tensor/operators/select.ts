// Operators that select by index: gather, scatter-add, the largest entries, one of several outputs.

import { HeedError } from '../../base/error.ts';
import { noGradient, type Operator } from '../operator.ts';
import { formatShape } from '../shape.ts';
import { tabulate } from '../value.ts';

/** ONNX's code for int32 as a Cast target. */
const INT32 = 6;

/** table [rows, …], ids → [ids' shape, …]: the rows of a table with these ids, such as embeddings. */
export const gather: Operator<Record<string, never>> = {
  name: 'gather',
  infer([table, ids]) {
    if (ids.dtype !== 'int32') throw new HeedError('gather', `ids must be int32, got ${ids.dtype}.`);
    return [{ dtype: table.dtype, shape: [...ids.shape, ...table.shape.slice(1)] }];
  },
  gradient({ inputs: [table, ids], gradient: g, f }) {
    const [rows] = table.shape;
    if (typeof rows === 'string') {
      throw new HeedError('gather', `the gradient needs a table with a known number of rows, got ${rows}.`);
    }
    return [f.scatterAdd(ids, g, rows), undefined];
  },
  lower: (emit, inputs) => [emit.node('Gather', inputs, { axis: 0 })],
  evaluate([table, ids]) {
    const width = table.data.length / table.shape[0];
    const data = new Float64Array(ids.data.length * width);
    ids.data.forEach((id, i) => {
      data.set(table.data.subarray(id * width, (id + 1) * width), i * width);
    });
    return [{ shape: [...ids.shape, ...table.shape.slice(1)], data }];
  },
};

export interface ScatterAddAttributes {
  readonly rows: number;
}

/** ids, updates [ids' shape, …] → [rows, …]: each row is the sum of the updates with its id. The reverse of gather. */
export const scatterAdd: Operator<ScatterAddAttributes> = {
  name: 'scatterAdd',
  infer([ids, updates], { rows }) {
    const rest = updates.shape.slice(ids.shape.length);
    if (rest.some((dim) => typeof dim === 'string')) {
      throw new HeedError('scatterAdd', `rows must have a known size, got ${formatShape(rest)}.`);
    }
    return [{ dtype: 'float32', shape: [rows, ...rest] }];
  },
  gradient: ({ inputs: [ids], gradient: g, f }) => [undefined, f.gather(g, ids)],
  // Not ScatterND: its threads add without a lock, so additions to one row may be lost.
  lower(emit, [ids, updates], { outputs }) {
    const [rows, ...rest] = outputs[0].shape.map(Number);
    const width = rest.reduce((product, dim) => product * dim, 1);
    const zeros = emit.node('Expand', [emit.floats(0), emit.int64s([rows, width])]);
    const flat = emit.node('Reshape', [updates, emit.int64s([-1, width])]);
    const column = emit.node('Reshape', [ids, emit.int64s([-1, 1])]);
    const index = emit.node('Expand', [column, emit.node('Shape', [flat])]);
    const sums = emit.node('ScatterElements', [zeros, index, flat], { axis: 0, reduction: 'add' });
    return [emit.node('Reshape', [sums, emit.int64s([rows, ...rest])])];
  },
  evaluate([ids, updates], { rows }) {
    const rest = updates.shape.slice(ids.shape.length);
    const width = rest.reduce((product, dim) => product * dim, 1);
    const data = new Float64Array(rows * width);
    ids.data.forEach((id, i) => {
      for (let k = 0; k < width; k++) data[id * width + k] += updates.data[i * width + k];
    });
    return [{ shape: [rows, ...rest], data }];
  },
};

export interface TopAttributes {
  readonly count: number;
}

/** The largest entries along the last axis, sorted, and (output 1) their indices as int32; ties: lower index first. */
export const top: Operator<TopAttributes> = {
  name: 'top',
  infer([x], { count }) {
    const shape = [...x.shape.slice(0, -1), count];
    return [
      { dtype: x.dtype, shape },
      { dtype: 'int32', shape },
    ];
  },
  gradient: noGradient,
  lower(emit, [x], { attributes: { count } }) {
    const [values, places] = emit.nodes('TopK', [x, emit.int64s([count])], 2, { axis: -1 });
    return [values, emit.node('Cast', [places], { to: INT32 })];
  },
  evaluate([x], { count }) {
    const width = x.shape[x.shape.length - 1];
    const shape = x.shape.with(-1, count);
    const values = new Float64Array((x.data.length / width) * count);
    const places = new Float64Array(values.length);
    for (let row = 0; row * width < x.data.length; row++) {
      const entries = [...x.data.subarray(row * width, (row + 1) * width)].map((value, place) => ({ value, place }));
      entries.sort((a, b) => b.value - a.value || a.place - b.place);
      entries.slice(0, count).forEach(({ value, place }, i) => {
        values[row * count + i] = value;
        places[row * count + i] = place;
      });
    }
    return [
      { shape, data: values },
      { shape, data: places },
    ];
  },
};

export interface OutputAtAttributes {
  readonly index: number;
}

/** A further output of a node with several: lowering and evaluator pass an `outputAt` all outputs of its input. */
export const outputAt: Operator<OutputAtAttributes> = {
  name: 'outputAt',
  infer: ([x], { index }) => [x.outputs[index]],
  gradient: noGradient,
  lower: (_, outputs, { attributes: { index } }) => [outputs[index]],
  evaluate: (outputs, { index }) => [outputs[index]],
};

/** The index of the largest entry along the last axis, as int32. */
export const largest: Operator<Record<string, never>> = {
  name: 'largest',
  infer: ([x]) => [{ dtype: 'int32', shape: x.shape.slice(0, -1) }],
  gradient: noGradient,
  lower(emit, [x]) {
    return [emit.node('Cast', [emit.node('ArgMax', [x], { axis: -1, keepdims: 0 })], { to: INT32 })];
  },
  evaluate([x]) {
    const width = x.shape[x.shape.length - 1];
    const places = tabulate([x.data.length / width], ([row]) => {
      const entries = x.data.subarray(row * width, (row + 1) * width);
      return entries.indexOf(Math.max(...entries));
    });
    return [{ shape: x.shape.slice(0, -1), data: places.data }];
  },
};
