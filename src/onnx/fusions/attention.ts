// Attention in a decoding step as one operator of the engine, for a single sentence: with few rows, calling a dozen operators
// costs more than computing them. In batches it would not pay, but it adds up in the same order: the results are the same,
// bit for bit. W hypotheses, P past positions, S of the source, H heads, K and V widths of a head's keys and values.

import {
  concatenate,
  dimension,
  isA,
  operators,
  permute,
  reshape,
  type Tensor,
  topologicalOrder,
  transpose,
  untransposed,
} from '../../tensor/index.ts';
import { isSupported, type LowerOptions } from '../options.ts';
import * as patterns from '../pattern.ts';
import { type Fusion, type Fusions, mainOutputs, outputOf } from './fusion.ts';
import { attributesOf, concatenatedHeads, isOf, type PastAndPresent, pastAndPresent } from './heads.ts';

const OPERATOR = 'com.microsoft:MultiHeadAttention';

const { add, any, either, match, matmul, scale, softmax, view } = patterns;
type Pattern<P> = patterns.Pattern<P>;

/** Kᵀ; the keys may be scaled. */
const keysTransposed = either(
  either(patterns.transpose(scale(any('keys'), 'keyFactor')), scale(transposed(any('keys')), 'keyFactor')),
  transposed(any('keys')),
);
const scores = scale(matmul(any('queries'), keysTransposed), 'factor');
const weights = softmax(either(add(scores, any('penalty')), scores));
/** softmax(Q Kᵀ · factor + penalty) V, heads side by side. */
const attention = concatenatedHeads(matmul(weights, any('values')));

/** An attention as it is found in a graph. */
interface Attention {
  /** [1, H, W, K] */
  readonly queries: Tensor;
  /** [1, H, S, K] */
  readonly keys: Tensor;
  /** [1, H, S, V] */
  readonly values: Tensor;
  /** Added to the scores, [1, 1, W, S]. */
  readonly penalty?: Tensor | undefined;
  /** What scores are multiplied by. */
  readonly factor: number;
}

/**
 * How each attention is computed, at the node in which its heads come together; and the concatenations of past and present keys
 * and values, which are outputs of the operator.
 */
export function attentionFusions(outputs: Iterable<Tensor>, options: LowerOptions): Fusions {
  const fusions = new Map<Tensor, Fusion>();
  if (!isSupported(OPERATOR, options)) return fusions;
  const nodes = topologicalOrder(outputs);
  const concatenations = nodes.filter((node) => isA(node, operators.concatenate));
  for (const node of nodes) {
    const found = attentionAt(node);
    if (found === undefined) continue;
    const [keys, values] = [match(pastAndPresent, found.keys), match(pastAndPresent, found.values)];
    if (keys !== undefined && values !== undefined) {
      fusions.set(node, withPast(found, keys, values));
      for (const other of concatenations) {
        const index = [keys, values].findIndex((both) => isOf(both, other));
        if (index >= 0) fusions.set(other, outputOf(node, index + 1));
      }
    } else if (found.penalty !== undefined) {
      // Without a penalty the operator takes another way, on which it adds up in another order than in a batch.
      fusions.set(node, withoutPast(found, found.penalty));
    }
  }
  return fusions;
}

function attentionAt(node: Tensor): Attention | undefined {
  const found = match(attention, node);
  if (found === undefined) return undefined;
  // The operator supports one width of heads only, and a bias with all four axes of the scores.
  if (dimension(found.queries, -1) !== dimension(found.values, -1)) return undefined;
  if (found.penalty !== undefined && found.penalty.shape.length !== 4) return undefined;
  return { ...found, factor: found.factor * (found.keyFactor ?? 1) };
}

function withoutPast(found: Attention, penalty: Tensor): Fusion {
  const { queries, keys, values, factor } = found;
  return {
    inputs: [rowsOf(queries), keys, values, stretched(penalty, found)],
    emit(writer, inputs) {
      const [query, key, value, bias] = mainOutputs(inputs);
      return [writer.node(OPERATOR, [query, key, value, '', '', bias], attributesOf(queries, factor))];
    },
  };
}

/** The outputs: heads side by side [1, W, H·V], keys and values of past and present [1, H, P + W, K or V]. */
function withPast(found: Attention, keys: PastAndPresent, values: PastAndPresent): Fusion {
  const { queries, penalty, factor } = found;
  const rows = [queries, keys.present, values.present].map(rowsOf);
  const penalties = penalty === undefined ? [] : [stretched(penalty, found)];
  return {
    inputs: [...rows, keys.past, values.past, ...penalties],
    emit(writer, inputs) {
      const [query, key, value, pastKeys, pastValues, bias = ''] = mainOutputs(inputs);
      // Left out are a bias of the products and a mask of whole keys.
      const all = [query, key, value, '', '', bias, pastKeys, pastValues];
      return writer.nodes(OPERATOR, all, 3, attributesOf(queries, factor));
    },
  };
}

/** A penalty for each query: [1, 1, 1 or W, S] → [1, 1, W, S] */
function stretched(penalty: Tensor, { queries }: Attention): Tensor {
  const rows = Number(queries.shape[2]);
  return penalty.shape[2] === rows ? penalty : concatenate(new Array<Tensor>(rows).fill(penalty), 2);
}

/** [1, H, W, K] → [1, W, H·K], as it was before it was split into heads. */
function rowsOf(heads: Tensor): Tensor {
  const [, count, rows, width] = heads.shape.map(Number);
  return reshape(permute(heads, [0, 2, 1, 3]), [1, rows, count * width]);
}

/** Any transpose, seen as one of keys: of one position, transposition moves nothing and is written as a reshape. */
function transposed<P>(keys: Pattern<P>): Pattern<P> {
  return view((x) => {
    return untransposed(x) ?? (isA(x, operators.reshape) ? x.inputs[0] : transpose(x));
  }, keys);
}
