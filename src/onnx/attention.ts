// Attention in a step of decoding as one operator of the engine, for a sentence that is alone: with few rows, what is
// written as a dozen operators costs more in calls than in computing. In batches it would not pay, since the operator copies
// the past. W hypotheses, P past positions, S positions of the source, H heads, K and V widths of a head's keys and values.

import {
  concatenate,
  constant,
  dimension,
  permute,
  reshape,
  type Tensor,
  topologicalOrder,
  transpose,
  untransposed,
} from '../tensor/index.ts';
import { mainOutputs, type Rewriting, unshaped } from './rewriting.ts';

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

/** By one softmax to the past, P positions, and to the step's own, W. */
interface StepAttention {
  readonly past: Attention;
  readonly own: Attention;
}

/**
 * How the nodes are computed in which the heads of an attention come together; and those that join keys and values of a step
 * to the past, which the operator does anyway.
 */
export function fusedAttention(outputs: Iterable<Tensor>): Map<Tensor, Rewriting> {
  const rewritings = new Map<Tensor, Rewriting>();
  const nodes = topologicalOrder(outputs);
  for (const node of nodes) {
    const heads = headsIn(node);
    if (heads === undefined) continue;
    const memory = memoryAttention(heads);
    if (memory !== undefined) rewritings.set(node, besideMemory(memory));
    const step = stepAttention(heads);
    if (step === undefined) continue;
    rewritings.set(node, afterPast(step));
    for (const other of nodes) {
      const part = partOf(other, step);
      if (part !== undefined) rewritings.set(other, { inputs: [node], emit: (_, [names]) => [names[part]] });
    }
  }
  return rewritings;
}

function besideMemory({ queries, keys, values, factor }: Attention): Rewriting {
  return {
    inputs: [withoutHeads(queries), keys, values],
    emit: (writer, inputs) => [writer.node(OPERATOR, mainOutputs(inputs), attributesOf(queries, factor))],
  };
}

/** The outputs: heads side by side [1, W, H·V], keys and values of past and step [1, H, P + W, K or V]. */
function afterPast({ past, own }: StepAttention): Rewriting {
  const ofRows = [own.queries, own.keys, own.values].map(withoutHeads);
  const penalties = past.penalty === undefined ? [] : [concatenate([past.penalty, penaltyOf(own)], -1)];
  return {
    inputs: [...ofRows, past.keys, past.values, ...penalties],
    emit(writer, inputs) {
      const [query, key, value, pastKeys, pastValues, penalty = ''] = mainOutputs(inputs);
      // Left out are a bias of the products and a mask of whole keys.
      const all = [query, key, value, '', '', penalty, pastKeys, pastValues];
      return writer.nodes(OPERATOR, all, 3, attributesOf(own.queries, own.factor));
    },
  };
}

/** [1, 1, W, W] */
function penaltyOf({ queries, penalty }: Attention): Tensor {
  const rows = Number(queries.shape[2]);
  return penalty ?? constant([1, 1, rows, rows], new Float32Array(rows * rows));
}

function attributesOf({ shape: [, heads] }: Tensor, factor: number) {
  return { num_heads: Number(heads), scale: { float: factor } };
}

/** Which output of the fused operator a node is that joins keys or values of the step to the past. */
function partOf({ operator, inputs }: Tensor, { past, own }: StepAttention): number | undefined {
  const joins = (a: Tensor, b: Tensor) => operator.name === 'concatenate' && inputs[0] === a && inputs[1] === b;
  if (joins(past.keys, own.keys)) return 1;
  return joins(past.values, own.values) ? 2 : undefined;
}

/** [1, H, W, K] → [1, W, H·K], as it was before it was split. */
function withoutHeads(x: Tensor): Tensor {
  const [, heads, rows, width] = x.shape.map(Number);
  return reshape(permute(x, [0, 2, 1, 3]), [1, rows, heads * width]);
}

/** What a node puts side by side, [1, H, W, V] → [1, W, H·V]. */
function headsIn(node: Tensor): Tensor | undefined {
  if (node.operator.name !== 'reshape' || node.shape.length !== 3) return undefined;
  const [exchanged] = inputsOf(unshaped(node), 'transpose');
  const heads = exchanged ?? unshaped(node); // of one row there is nothing to exchange
  return heads.shape.length === 4 && heads.shape[0] === 1 ? heads : undefined;
}

/** softmax(Q Kᵀ · factor) V */
function memoryAttention(heads: Tensor): Attention | undefined {
  const [weights, values] = inputsOf(heads, 'matmul');
  const [scores] = inputsOf(weights, 'softmax');
  return attentionOf(scores, values);
}

function stepAttention(heads: Tensor): StepAttention | undefined {
  const [fromOwn, fromPast] = inputsOf(heads, 'add');
  const [, ownValues] = inputsOf(fromOwn, 'matmul');
  const [part, pastValues] = inputsOf(fromPast, 'matmul');
  const [weights] = inputsOf(part, 'slice');
  const [scores] = inputsOf(weights, 'softmax');
  const [toPast, toOwn] = inputsOf(scores, 'concatenate');
  const [past, own] = [attentionOf(toPast, pastValues), attentionOf(toOwn, ownValues)];
  if (past === undefined || own === undefined) return undefined;
  // Penalties are for all scores or none.
  return own.penalty !== undefined && past.penalty === undefined ? undefined : { past, own };
}

/** From scores Q Kᵀ · factor + penalty. */
function attentionOf(scores: Tensor | undefined, values: Tensor | undefined): Attention | undefined {
  const [sum, penalty] = inputsOf(scores, 'add');
  const scaled = sum ?? scores;
  const [product] = inputsOf(scaled, 'scale');
  const [queries, turned] = inputsOf(product, 'matmul');
  if (scaled === undefined || turned === undefined || values === undefined) return undefined;
  if (dimension(queries, -1) !== dimension(values, -1)) return undefined; // the operator knows one width only
  const { factor } = scaled.attributes as { factor: number };
  return { queries, keys: turnedBack(turned), values, penalty, factor };
}

function turnedBack(turned: Tensor): Tensor {
  const [reshaped] = inputsOf(turned, 'reshape'); // of one position, transposition moves nothing
  return untransposed(turned) ?? reshaped ?? transpose(turned);
}

function inputsOf(node: Tensor | undefined, name: string): readonly Tensor[] {
  return node?.operator.name === name ? node.inputs : [];
}
