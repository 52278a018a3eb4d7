// Attention in a step of decoding as one operator of the engine, for a sentence that is alone: with few rows, what is
// written as a dozen operators costs more in calls than in computing. In batches it would not pay, but adds up in the same order: the
// results are the same, bit for bit. W hypotheses, P past positions, S of the source, H heads, K and V widths of a head's keys and values.

import {
  concatenate,
  dimension,
  permute,
  reshape,
  type Tensor,
  topologicalOrder,
  transpose,
  untransposed,
} from '../../tensor/index.ts';
import { mainOutputs, type Rewriting, unshaped, withoutScale } from './layout.ts';

const OPERATOR = 'com.microsoft:MultiHeadAttention';

/** An attention as it is found in a graph. */
interface Attention {
  /** [1, H, W, K] */
  readonly queries: Tensor;
  /** [1, H, S, K] */
  readonly keys: Tensor;
  /** [1, H, S, V] */
  readonly values: Tensor;
  /** Added to the scores, [1, 1, W, S]. */
  readonly penalty: Tensor | undefined;
  /** What scores are multiplied by. */
  readonly factor: number;
}

/** Keys or values of the step, joined to the past. */
interface Joined {
  readonly past: Tensor;
  readonly own: Tensor;
}

/**
 * How the nodes are computed in which the heads of an attention come together; and those that join keys and values of a step
 * to the past, which the operator does anyway.
 */
export function fusedAttention(outputs: Iterable<Tensor>): Map<Tensor, Rewriting> {
  const rewritings = new Map<Tensor, Rewriting>();
  const nodes = topologicalOrder(outputs);
  for (const node of nodes) {
    const attention = attentionIn(node);
    if (attention === undefined) continue;
    const [keys, values] = [joinedIn(attention.keys), joinedIn(attention.values)];
    if (keys !== undefined && values !== undefined) {
      rewritings.set(node, afterPast(attention, keys, values));
      for (const other of nodes) {
        const joined = joinedIn(other);
        const part = joined && [keys, values].findIndex(({ past, own }) => joined.past === past && joined.own === own);
        if (part !== undefined && part >= 0) {
          rewritings.set(other, { inputs: [node], emit: (_, [names]) => [names[part + 1]] });
        }
      }
    } else if (attention.penalty !== undefined) {
      // Without a penalty the operator takes another way, on which sums are others than in a batch.
      rewritings.set(node, besideMemory(attention, attention.penalty));
    }
  }
  return rewritings;
}

function besideMemory(attention: Attention, penalty: Tensor): Rewriting {
  const { queries, keys, values, factor } = attention;
  return {
    inputs: [withoutHeads(queries), keys, values, stretched(penalty, attention)],
    emit(writer, inputs) {
      const [query, key, value, bias] = mainOutputs(inputs);
      return [writer.node(OPERATOR, [query, key, value, '', '', bias], attributesOf(queries, factor))];
    },
  };
}

/** The outputs: heads side by side [1, W, H·V], keys and values of past and step [1, H, P + W, K or V]. */
function afterPast(attention: Attention, keys: Joined, values: Joined): Rewriting {
  const { queries, penalty, factor } = attention;
  const ofRows = [queries, keys.own, values.own].map(withoutHeads);
  const penalties = penalty === undefined ? [] : [stretched(penalty, attention)];
  return {
    inputs: [...ofRows, keys.past, values.past, ...penalties],
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

function attributesOf({ shape: [, heads] }: Tensor, factor: number) {
  return { num_heads: Number(heads), scale: { float: factor } };
}

function joinedIn({ operator, inputs, attributes }: Tensor): Joined | undefined {
  const [past, own] = inputs;
  const joins = operator.name === 'concatenate' && inputs.length === 2 && (attributes as { axis: number }).axis === 2;
  return joins ? { past, own } : undefined;
}

/** [1, H, W, K] → [1, W, H·K], as it was before it was split. */
function withoutHeads(x: Tensor): Tensor {
  const [, heads, rows, width] = x.shape.map(Number);
  return reshape(permute(x, [0, 2, 1, 3]), [1, rows, heads * width]);
}

/** The attention whose heads a node puts side by side, [1, H, W, V] → [1, W, H·V]: softmax(Q Kᵀ · factor + penalty) V */
function attentionIn(node: Tensor): Attention | undefined {
  if (node.operator.name !== 'reshape' || node.shape.length !== 3) return undefined;
  const [exchanged] = inputsOf(unshaped(node), 'transpose');
  const heads = exchanged ?? unshaped(node); // of one row there is nothing to exchange
  if (heads.shape.length !== 4 || heads.shape[0] !== 1) return undefined;
  const [weights, values] = inputsOf(heads, 'matmul');
  const [scores] = inputsOf(weights, 'softmax');
  const [sum, penalty] = inputsOf(scores, 'add');
  const scaled = sum ?? scores;
  const [product] = inputsOf(scaled, 'scale');
  const [queries, turned] = inputsOf(product, 'matmul');
  if (scaled === undefined || turned === undefined || values === undefined) return undefined;
  if (dimension(queries, -1) !== dimension(values, -1)) return undefined; // the operator knows one width only
  const { factor } = scaled.attributes as { factor: number };
  const keys = withoutScale(turned);
  return { queries, keys: turnedBack(keys.x), values, penalty, factor: factor * keys.factor };
}

function turnedBack(turned: Tensor): Tensor {
  const [reshaped] = inputsOf(turned, 'reshape'); // of one position, transposition moves nothing
  return untransposed(turned) ?? reshaped ?? transpose(turned);
}

function inputsOf(node: Tensor | undefined, name: string): readonly Tensor[] {
  return node?.operator.name === name ? node.inputs : [];
}
