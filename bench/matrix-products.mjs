// The matrix products of a training step, forward and backward, from its graph; and a program of these products only, whose
// speed is the upper limit for a step.

import { modelGraph } from '../dist/tasks/index.js';
import { gradients, input, matmul, reshape, slice, topologicalOrder } from '../dist/tensor/index.js';

/**
 * @typedef {{ batch: number, source: number, target: number }} Sizes
 * @typedef {{ a: number[], b: number[] }} Product  shapes [… n, k] and [… k, m]
 */

/**
 * Every product that a step computes on a batch of the given sizes.
 * @param {import('../dist/nn/index.js').TransformerConfig} config
 * @param {Sizes} sizes
 * @returns {Product[]}
 */
export function matrixProducts(config, sizes) {
  const { loss, parameters } = modelGraph(buildModel(config, { dropout: true }), 0.1);
  const nodes = topologicalOrder([loss.total, ...gradients(loss.total, parameters)]);
  const shapeOf = (tensor) => tensor.shape.map((dim) => sizeOf(dim, sizes));
  return nodes
    .filter(({ operator }) => operator.name === 'matmul')
    .map(({ inputs: [a, b] }) => ({ a: shapeOf(a), b: shapeOf(b) }));
}

/** `batch*source` → the product of their sizes. */
function sizeOf(dim, sizes) {
  if (typeof dim === 'number') return dim;
  return dim.split('*').reduce((size, part) => size * (sizes[part] ?? Number(part)), 1);
}

/**
 * Floating-point operations of products: two for each multiply-add.
 * @param {readonly Product[]} products
 */
export function operations(products) {
  return products.reduce((sum, { a, b }) => sum + 2 * count(a) * b.at(-1), 0);
}

/**
 * A program that computes the products one after the other and nothing else; of each only one number is kept, so that
 * no time goes into copying results. Products of like shape read the same memory.
 * @param {import('../dist/runtime/index.js').Compile} compile
 * @param {readonly Product[]} products
 * @param {{ threads: number, restBetweenRuns: boolean }} options
 */
export async function bareProgram(compile, products, options) {
  const memory = new Map();
  const feeds = new Map();
  const feed = (name, shape) => {
    const key = shape.join();
    if (!memory.has(key)) memory.set(key, new Float32Array(count(shape)).fill(1 / 64));
    feeds.set(name, { shape, data: memory.get(key) });
    return input(name, 'float32', shape);
  };
  const outputs = {};
  products.forEach(({ a, b }, i) => {
    const product = matmul(feed(`a${i}`, a), feed(`b${i}`, b));
    outputs[`product${i}`] = slice(reshape(product, [count(product.shape)]), { axis: 0, start: 0, end: 1 });
  });
  const program = await compile(outputs, options);
  return { run: () => program.run(feeds), release: () => program.release() };
}

function count(shape) {
  return shape.reduce((product, dim) => product * dim, 1);
}
