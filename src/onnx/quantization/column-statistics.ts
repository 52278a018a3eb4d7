// Mean and standard deviation of each column of activations, estimated from the weights before them. A layer normalization makes
// entries of mean square 1, and embeddings are known, so that a linear map of them has a known deviation in each column; attention
// only mixes rows of it.

import { dimension, isA, operators, type Tensor } from '../../tensor/index.ts';
import { any, cos, either, match, multiply, type Pattern, sin, softmax } from '../pattern.ts';

export interface ColumnStatistics {
  readonly means: Float32Array;
  readonly deviations: Float32Array;
}

/** How much longer than usual the longest row of an embedding may be. */
const UNEVEN = 1.5;

/** Weights of attention, zeroed by a mask or not: not below 0, and no more than 1 together. */
const attentionWeights = either(softmax(any('scores')), multiply(softmax(any('scores')), any('mask')));
const sinusoid: Pattern<unknown> = either(sin(any('angles')), cos(any('angles')));

/** The statistics of the tensors of one graph; each found once, since several matrices are multiplied with the same rows. */
export class StatisticsOfRows {
  private readonly known = new Map<Tensor, ColumnStatistics | undefined>();

  constructor(private readonly weights: ReadonlyMap<string, Float32Array>) {}

  /** Undefined where the weights say nothing of x. */
  of(x: Tensor): ColumnStatistics | undefined {
    if (!this.known.has(x)) this.known.set(x, this.found(x));
    return this.known.get(x);
  }

  private found(x: Tensor): ColumnStatistics | undefined {
    const [first, second, third] = x.inputs;
    if (isA(x, operators.layerNormalization)) {
      const [gain, bias] = [this.valuesOf(second), this.valuesOf(third)];
      return gain && bias && { means: bias, deviations: gain.map(Math.abs) };
    }
    if (isA(x, operators.gather)) {
      const table = this.valuesOf(first);
      return table && ofEmbedding(table, Number(dimension(x, -1)));
    }
    if (isA(x, operators.scale)) return scaled(this.of(first), x.attributes.factor);
    if (isA(x, operators.add)) {
      const [statistics, other] = [this.of(first), this.ofSummand(second)];
      return statistics && other && sumOf(statistics, other);
    }
    if (isA(x, operators.matmul)) {
      const matrix = this.valuesOf(second);
      if (matrix !== undefined) return ofProduct(this.of(first), matrix);
      return match(attentionWeights, first) && this.of(second);
    }
    // Rows are split into heads, and put together again.
    if (isA(x, operators.reshape) || isA(x, operators.transpose)) return this.of(first);
    return undefined;
  }

  /** Of a bias, or of an encoding of positions; what else is added is not independent. */
  private ofSummand(x: Tensor): ColumnStatistics | undefined {
    const bias = this.valuesOf(x);
    if (bias !== undefined) return { means: bias, deviations: new Float32Array(bias.length) };
    if (isA(x, operators.gather)) return this.of(x);
    if (!isOfSinusoids(x)) return undefined;
    const width = Number(dimension(x, -1));
    return { means: new Float32Array(width), deviations: new Float32Array(width).fill(Math.SQRT1_2) };
  }

  private valuesOf(x: Tensor): Float32Array | undefined {
    return isA(x, operators.parameter) ? this.weights.get(x.attributes.name) : undefined;
  }
}

function isOfSinusoids(x: Tensor): boolean {
  if (match(sinusoid, x) !== undefined) return true;
  return (isA(x, operators.concatenate) || isA(x, operators.reshape)) && x.inputs.every(isOfSinusoids);
}

/** Of the rows of an embedding, as if each were as long as the longest. */
function ofEmbedding(table: Float32Array, width: number): ColumnStatistics | undefined {
  const rows = table.length / width;
  const squares = new Float32Array(width);
  const lengths = new Float32Array(rows);
  for (let row = 0, i = 0; row < rows; row++) {
    for (let column = 0; column < width; column++, i++) {
      const square = table[i] * table[i];
      squares[column] += square;
      lengths[row] += square;
    }
  }
  const usual = Math.sqrt(lengths.reduce((sum, length) => sum + length, 0) / rows);
  const longest = Math.sqrt(lengths.reduce((most, length) => Math.max(most, length), 0));
  if (longest > UNEVEN * usual) return undefined;
  const deviations = squares.map((sum) => (Math.sqrt(sum / rows) * longest) / usual);
  return { means: new Float32Array(width), deviations };
}

function scaled(statistics: ColumnStatistics | undefined, factor: number): ColumnStatistics | undefined {
  if (statistics === undefined) return undefined;
  const { means, deviations } = statistics;
  return { means: means.map((mean) => factor * mean), deviations: deviations.map((one) => Math.abs(factor) * one) };
}

function sumOf(a: ColumnStatistics, b: ColumnStatistics): ColumnStatistics {
  return {
    means: a.means.map((mean, i) => mean + b.means[i]),
    deviations: a.deviations.map((deviation, i) => Math.hypot(deviation, b.deviations[i])),
  };
}

/** Of rows with these statistics times a matrix, as if their columns were independent. */
function ofProduct(statistics: ColumnStatistics | undefined, matrix: Float32Array): ColumnStatistics | undefined {
  if (statistics === undefined) return undefined;
  const { means, deviations } = statistics;
  const width = matrix.length / means.length;
  const product = { means: new Float32Array(width), deviations: new Float32Array(width) };
  for (let row = 0, i = 0; row < means.length; row++) {
    for (let column = 0; column < width; column++, i++) {
      product.means[column] += matrix[i] * means[row];
      product.deviations[column] += (matrix[i] * deviations[row]) ** 2;
    }
  }
  return { ...product, deviations: product.deviations.map(Math.sqrt) };
}
