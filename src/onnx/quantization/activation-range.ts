// How far the entries go of rows that a matrix is multiplied with, as the weights before it tell: then they become codes by a
// fixed step, and need not be measured at each run. A layer normalisation makes entries of mean square 1, and embeddings are known, so
// that a linear map of them has a known deviation in each column; a ReLU cuts that off at zero, and attention only mixes rows of it.

import {
  dimension,
  type ParameterAttributes,
  type Tensor,
  topologicalOrder,
  untransposed,
} from '../../tensor/index.ts';
import type { LowerOptions } from '../lower.ts';

export interface Reach {
  /** The largest absolute entry that the rows are taken to have; further ones are cut off there. */
  readonly reach: number;
  /** Whether no entry is below zero, so that all codes are for those above. */
  readonly isPositive: boolean;
}

/** How far entries are from their mean at most, in standard deviations. */
const REACH = 7;
/** What a fixed step may cover at most, in standard deviations of all entries: with a few wide columns it is too coarse for the rest. */
const WIDEST = 10;
/** How much longer than usual the longest row of an embedding may be. */
const UNEVEN = 1.5;

type Weights = NonNullable<LowerOptions['weights']>;

/** Of each column of a matrix of rows. */
interface Spread {
  readonly means: Float32Array;
  readonly deviations: Float32Array;
}

/**
 * By the name of a matrix: the reach of the rows that it is multiplied with. Matrices of whose rows nothing is known are missing.
 *
 * @param outputs of the whole model, which shows where rows come from
 */
export function reachesOf(outputs: Iterable<Tensor>, weights: Weights): Map<string, Reach> {
  const spreads = new Spreads(weights);
  const reaches = new Map<string, Reach>();
  for (const { operator, inputs } of topologicalOrder(outputs)) {
    if (operator.name !== 'matmul') continue;
    const [x, factor] = inputs;
    const matrix = untransposed(factor) ?? factor;
    if (matrix.operator.name !== 'parameter') continue;
    const reach = reachOf(x, spreads);
    if (reach !== undefined) reaches.set((matrix.attributes as ParameterAttributes).name, reach);
  }
  return reaches;
}

function reachOf(x: Tensor, spreads: Spreads): Reach | undefined {
  const isPositive = x.operator.name === 'relu';
  const spread = spreads.of(isPositive ? x.inputs[0] : x);
  if (spread === undefined || spread.means.length !== dimension(x, -1)) return undefined;
  const { means, deviations } = spread;
  const reach = means.reduce((most, mean, i) => {
    return Math.max(most, REACH * deviations[i] + (isPositive ? mean : Math.abs(mean)));
  }, 0);
  const deviation = Math.hypot(...means, ...deviations) / Math.sqrt(means.length);
  return 0 < reach && reach < WIDEST * deviation ? { reach, isPositive } : undefined;
}

/** What the weights tell of the rows of a graph; each found out once, since several matrices are multiplied with the same rows. */
class Spreads {
  private readonly known = new Map<Tensor, Spread | undefined>();

  constructor(private readonly weights: Weights) {}

  of(x: Tensor): Spread | undefined {
    if (!this.known.has(x)) this.known.set(x, this.found(x));
    return this.known.get(x);
  }

  private found(x: Tensor): Spread | undefined {
    const { operator, inputs } = x;
    switch (operator.name) {
      case 'layerNormalization': {
        const [gain, bias] = inputs.slice(1).map((parameter) => this.valuesOf(parameter));
        return gain && bias && { means: bias, deviations: gain.map(Math.abs) };
      }
      case 'gather': {
        const table = this.valuesOf(inputs[0]);
        return table && spreadOfRows(table, Number(dimension(x, -1)));
      }
      case 'scale': {
        const { factor } = x.attributes as { factor: number };
        return scaled(this.of(inputs[0]), factor);
      }
      case 'add': {
        const [spread, other] = [this.of(inputs[0]), this.ofSummand(inputs[1])];
        return spread && other && sumOf(spread, other);
      }
      case 'matmul': {
        const matrix = this.valuesOf(inputs[1]);
        if (matrix !== undefined) return spreadOfProduct(this.of(inputs[0]), matrix);
        return mixes(inputs[0]) ? this.of(inputs[1]) : undefined;
      }
      case 'reshape':
      case 'transpose': // heads are put apart, and side by side again
        return this.of(inputs[0]);
      default:
        return undefined;
    }
  }

  /** Of a bias, or of an encoding of positions; what else is added is not independent. */
  private ofSummand(x: Tensor): Spread | undefined {
    const bias = this.valuesOf(x);
    if (bias !== undefined) return { means: bias, deviations: new Float32Array(bias.length) };
    if (x.operator.name === 'gather') return this.of(x);
    if (!isOfSinusoids(x)) return undefined;
    const width = Number(dimension(x, -1));
    return { means: new Float32Array(width), deviations: new Float32Array(width).fill(Math.SQRT1_2) };
  }

  private valuesOf({ operator, attributes }: Tensor): Float32Array | undefined {
    return operator.name === 'parameter' ? this.weights.get((attributes as ParameterAttributes).name) : undefined;
  }
}

function isOfSinusoids({ operator, inputs }: Tensor): boolean {
  if (operator.name === 'sin' || operator.name === 'cos') return true;
  return ['concatenate', 'reshape'].includes(operator.name) && inputs.every(isOfSinusoids);
}

/** Of the rows of an embedding, as if each were as long as the longest. */
function spreadOfRows(table: Float32Array, width: number): Spread | undefined {
  const rows = table.length / width;
  const squares = new Float32Array(width);
  const lengths = new Float32Array(rows);
  table.forEach((entry, i) => {
    squares[i % width] += entry * entry;
    lengths[Math.floor(i / width)] += entry * entry;
  });
  const usual = Math.sqrt(lengths.reduce((sum, length) => sum + length, 0) / rows);
  const longest = Math.sqrt(lengths.reduce((most, length) => Math.max(most, length), 0));
  if (longest > UNEVEN * usual) return undefined;
  const deviations = squares.map((sum) => (Math.sqrt(sum / rows) * longest) / usual);
  return { means: new Float32Array(width), deviations };
}

function scaled(spread: Spread | undefined, factor: number): Spread | undefined {
  if (spread === undefined) return undefined;
  const { means, deviations } = spread;
  return { means: means.map((mean) => factor * mean), deviations: deviations.map((one) => Math.abs(factor) * one) };
}

function sumOf(a: Spread, b: Spread): Spread {
  return {
    means: a.means.map((mean, i) => mean + b.means[i]),
    deviations: a.deviations.map((deviation, i) => Math.hypot(deviation, b.deviations[i])),
  };
}

/** Of rows with this spread times a matrix, as if their columns were independent. */
function spreadOfProduct(spread: Spread | undefined, matrix: Float32Array): Spread | undefined {
  if (spread === undefined) return undefined;
  const { means, deviations } = spread;
  const width = matrix.length / means.length;
  const product = { means: new Float32Array(width), deviations: new Float32Array(width) };
  matrix.forEach((entry, i) => {
    const [row, column] = [Math.floor(i / width), i % width];
    product.means[column] += entry * means[row];
    product.deviations[column] += (entry * deviations[row]) ** 2;
  });
  return { ...product, deviations: product.deviations.map(Math.sqrt) };
}

/** Whether these are weights of attention, zeroed by a mask or not: not below 0, and no more than 1 together. */
function mixes({ operator, inputs }: Tensor): boolean {
  return operator.name === 'softmax' || (operator.name === 'multiply' && inputs[0].operator.name === 'softmax');
}
