import { describe, expect, it } from 'vitest';
import { Random } from '../base/random.ts';
import {
  add,
  addScalar,
  constant,
  evaluate,
  input,
  keepMask,
  matmul,
  multiply,
  parameter,
  reshape,
  scale,
  scan,
  sum,
  type Tensor,
  toFloat,
} from '../tensor/index.ts';
import type { Values } from './engine.ts';
import { compile } from './node/index.ts';
import type { Feeds } from './program.ts';

const floats = (shape: number[], ...data: number[]): Values => ({ shape, data: Float32Array.from(data) });
const feeds = (values: Record<string, Values>): Feeds => new Map(Object.entries(values));
const x = input('x', 'float32', ['batch', 2]);

async function running(outputs: Record<string, Tensor>) {
  return compile(outputs, { threads: 1 });
}

describe('Program', () => {
  it('computes its outputs under their names, at any size', async () => {
    const program = await running({ doubled: scale(x, 2), moved: addScalar(x, 1) });
    for (const rows of [1, 3, 2]) {
      const { doubled, moved } = await program.run(
        feeds({ x: { shape: [rows, 2], data: new Float32Array(2 * rows).fill(5) } }),
      );
      expect([...doubled.shape]).toEqual([rows, 2]);
      expect(doubled.data.every((value) => value === 10)).toBe(true);
      expect(moved.data.every((value) => value === 6)).toBe(true);
    }
  });

  it('repeats itself until its condition is 0, or for all iterations allowed', async () => {
    const one = input('one', 'float32', [1]);
    const doubled = scale(one, 2);
    const loop = { carried: { one: addScalar(doubled, 1) }, condition: addScalar(scale(doubled, -1), 30) };
    const program = await compile({ doubled, before: one }, { threads: 1, loop });
    const run = async (iterations: number) => {
      const fed = { one: floats([1], 1), iterations: { shape: [1], data: Int32Array.of(iterations) } };
      const { doubled, before } = await program.run(feeds(fed));
      expect(doubled.shape).toEqual(before.shape);
      return { shape: [...doubled.shape], doubled: [...doubled.data], before: [...before.data] };
    };
    expect(await run(3)).toEqual({ shape: [3, 1], doubled: [2, 6, 14], before: [1, 3, 7] });
    expect(await run(9)).toEqual({ shape: [4, 1], doubled: [2, 6, 14, 30], before: [1, 3, 7, 15] });
  });

  it('repeats itself from where it is told to start, beside what stays the same', async () => {
    const one = input('one', 'float32', [1]);
    const added = scale(input('base', 'float32', [1]), 10);
    const next = add(scale(one, 2), added);
    const loop = { carried: { one: next }, initial: { one: addScalar(added, 1) }, condition: added };
    const program = await compile({ was: one }, { threads: 1, loop });
    const { was } = await program.run(
      feeds({ base: floats([1], 1), iterations: { shape: [1], data: Int32Array.of(3) } }),
    );
    expect([...was.data]).toEqual([11, 32, 74]);
  });

  it('runs a scan in each iteration of a loop, whose body reads what is carried', async () => {
    const one = input('one', 'float32', [1]);
    const numbers = input('numbers', 'float32', ['time', 1]);
    const { states } = scan({ states: [scale(one, 0)], sequences: [numbers], axis: 0 }, ([sofar], [number]) => {
      return { states: [add(sofar, multiply(number, one))], outputs: [] };
    });
    const loop = { carried: { one: states[0] }, condition: one };
    const program = await compile({ was: one }, { threads: 1, loop });
    const fed = {
      one: floats([1], 1),
      numbers: floats([2, 1], 2, 3),
      iterations: { shape: [1], data: Int32Array.of(4) },
    };
    expect([...(await program.run(feeds(fed))).was.data]).toEqual([1, 5, 25, 125]);
  });

  it('reshapes arrays without entries', async () => {
    const empty = reshape(constant([1, 2, 0, 3], []), [2, 1, 0, 3]);
    const program = await running({ empty });
    expect([...(await program.run(feeds({}))).empty.shape]).toEqual([2, 1, 0, 3]);
    expect(evaluate([empty], new Map())[0].shape).toEqual([2, 1, 0, 3]);
  });

  it('passes int32 in and out', async () => {
    const ids = input('ids', 'int32', ['batch']);
    const program = await running({ same: ids, float: toFloat(ids) });
    const { same, float } = await program.run(feeds({ ids: { shape: [2], data: Int32Array.of(3, -4) } }));
    expect(same.data).toEqual(Int32Array.of(3, -4));
    expect(float.data).toEqual(Float32Array.of(3, -4));
  });

  it('does not keep or change what it is fed', async () => {
    const program = await running({ doubled: scale(x, 2) });
    const fed = floats([1, 2], 1, 2);
    const first = await program.run(feeds({ x: fed }));
    fed.data.set([10, 20]);
    const second = await program.run(feeds({ x: fed }));
    expect([first.doubled.data, second.doubled.data]).toEqual([Float32Array.of(2, 4), Float32Array.of(20, 40)]);
    expect(fed.data).toEqual(Float32Array.of(10, 20));
  });

  it('has parameters as constants, or reads them anew in each run', async () => {
    const weight = parameter('weight', [2, 1], { kind: 'constant', value: 0 });
    const outputs = { product: matmul(x, weight) };
    const constant = await compile(outputs, { threads: 1, weights: new Map([['weight', Float32Array.of(1, 10)]]) });
    const fed = await running(outputs);
    const one = { x: floats([1, 2], 3, 4) };
    expect(constant.inputs.map(({ name }) => name)).toEqual(['x']);
    expect(fed.inputs.map(({ name }) => name)).toEqual(['x', 'weight']);
    expect((await constant.run(feeds(one))).product.data).toEqual(Float32Array.of(43));
    const { product } = await fed.run(feeds({ ...one, weight: floats([2, 1], 2, 0) }));
    expect(product.data).toEqual(Float32Array.of(6));
  });
});

describe('feeds', () => {
  const y = input('y', 'float32', ['batch', 2]);

  it('must be there', async () => {
    const program = await running({ result: multiply(x, y) });
    await expect(program.run(feeds({ x: floats([1, 2], 1, 2) }))).rejects.toThrow(
      'run: no value for input y [batch, 2].',
    );
  });

  it.each<[number[], string]>([
    [[3, 2], 'run: y must be [batch, 2] with batch = 2, got [3, 2].'],
    [[2, 3], 'run: y must be [batch, 2] with batch = 2, got [2, 3].'],
    [[2], 'run: y must be [batch, 2] with batch = 2, got [2].'],
  ])('of shape %j do not fit', async (shape, message) => {
    const program = await running({ result: multiply(x, y) });
    const misfit = { shape, data: new Float32Array(shape.reduce((size, dim) => size * dim, 1)) };
    const run = program.run(feeds({ x: floats([2, 2], 1, 2, 3, 4), y: misfit }));
    await expect(run).rejects.toThrow(message);
  });
});

describe('keep-masks', () => {
  const dropped = multiply(x, keepMask(['batch', 2], 0.5));
  const ones = (rows: number) => feeds({ x: { shape: [rows, 2], data: new Float32Array(2 * rows).fill(1) } });

  it('are drawn by the run from its stream, the same at any size before', async () => {
    const program = await running({ dropped });
    const first = (await program.run(ones(50), Random.of(1))).dropped.data;
    const other = (await program.run(ones(50), Random.of(2))).dropped.data;
    await program.run(ones(200), Random.of(3));
    await program.run(ones(3), Random.of(4));
    const again = (await program.run(ones(50), Random.of(1))).dropped.data;
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    expect(new Set(first)).toEqual(new Set([0, 2]));
  });

  it('need a random stream', async () => {
    const program = await running({ dropped });
    await expect(program.run(ones(1))).rejects.toThrow('run: a graph with dropout needs a random stream.');
  });

  it('need a feed that says how large they are', async () => {
    const program = await running({ result: sum(keepMask(['time'], 0.5)), same: x });
    const run = program.run(ones(1), Random.of(1));
    await expect(run).rejects.toThrow('run: no feed gives the size of a mask [time].');
  });
});

describe('memory', () => {
  it('stays flat over runs of ever new shapes', async () => {
    const wide = input('wide', 'float32', ['batch', 256]);
    const weight = parameter('weight', [256, 256], { kind: 'constant', value: 0 });
    const program = await running({ total: sum(multiply(matmul(wide, weight), keepMask(['batch', 256], 0.5))) });
    const [data, square] = [new Float32Array(2000 * 256), new Float32Array(256 * 256)];
    const run = (rows: number) =>
      program.run(
        feeds({
          wide: { shape: [rows, 256], data: data.subarray(0, rows * 256) },
          weight: { shape: [256, 256], data: square },
        }),
        Random.of(rows),
      );
    const rowsOf = Random.of(1);
    await run(2000);
    for (let i = 0; i < 100; i++) await run(1 + rowsOf.integer(2000));
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 300; i++) await run(1 + rowsOf.integer(2000));
    // An array of each run that is not freed would be hundreds of megabytes.
    expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(60);
  });
});
