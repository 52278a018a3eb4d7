// The self-attention of a round as one operator of the engine, projections of queries, keys and values included: for a
// sentence that is alone, with one hypothesis, seven operators cost more in calls than in computing. The sums are the same,
// bit for bit. The operator has keys and values of the past in one tensor [2, 1, H, P, K], and so they are carried from
// round to round.

import type { OnnxInitializer, OnnxNode, OnnxValueInfo } from '../graph.ts';
import type { Carried, Rounds } from '../loop/iteration.ts';

/** A self-attention as it is found in a round. */
interface Found {
  /** MultiHeadAttention of queries, keys and values, joined to the past. */
  readonly node: OnnxNode;
  /** Of queries, keys and values. */
  readonly projections: readonly Projection[];
  /** Keys and values of the past. */
  readonly past: readonly Carried[];
  /** What the one operator makes superfluous. */
  readonly replaced: ReadonlySet<OnnxNode>;
}

/** x W + b, for the attention only. */
interface Projection {
  readonly x: string;
  /** [D, H·K] */
  readonly weight: OnnxInitializer;
  /** [H·K] */
  readonly bias: OnnxInitializer;
  readonly nodes: readonly OnnxNode[];
}

/** Where MultiHeadAttention has what is added to the scores, and keys and values of the past. */
const [PENALTY, PAST_KEYS, PAST_VALUES] = [5, 6, 7];

const SECOND_AXIS: OnnxInitializer = { name: 'whole.axis', shape: [1], data: BigInt64Array.of(1n) };
const PARTS = [0, 1].map((part): OnnxInitializer => {
  return { name: `whole.${part}`, shape: [], data: Int32Array.of(part) };
});

/** The same rounds with every self-attention that allows it as one operator. */
export function withWholeAttention(rounds: Rounds): Rounds {
  const index = new Index(rounds);
  const found = rounds.round.flatMap((node) => attentionAt(node, index) ?? []);
  if (found.length === 0) return rounds;
  const whole = found.reduce(fused, rounds);
  return { ...whole, initializers: [...whole.initializers, SECOND_AXIS, ...PARTS] };
}

function fused(rounds: Rounds, { node, projections, past, replaced }: Found): Rounds {
  const [keys, values] = past;
  const name = `${keys.value.name}+${values.value.name}`;
  const stack: Carried = {
    value: both(keys.value, name),
    next: both(keys.next, `next.${name}`),
    first: `first.${name}`,
    last: `last.${name}`,
  };
  const weights = projections.map(({ weight }) => weight);
  const biases = projections.map(({ bias }) => bias);
  const merged = [sideBySide(`${name}.weight`, weights), sideBySide(`${name}.bias`, biases)];
  const attention: OnnxNode = {
    type: 'com.microsoft:Attention',
    // Left out is a mask of whole keys.
    inputs: [projections[0].x, ...merged.map((own) => own.name), '', name],
    outputs: [node.outputs[0], stack.next.name],
    attributes: node.attributes,
  };
  const taken = new Set([...weights, ...biases]);
  return {
    before: [...rounds.before, ...stacked(past, stack.first)],
    round: rounds.round.flatMap((other) => (other === node ? attention : replaced.has(other) ? [] : other)),
    after: [...past.map(({ last }, part) => partOf(stack.last, part, last)), ...rounds.after],
    carried: [...rounds.carried.filter((other) => !past.includes(other)), stack],
    initializers: [...rounds.initializers.filter((initializer) => !taken.has(initializer)), ...merged],
  };
}

/** [1, H, P, K] → [2, 1, H, P, K] */
function both({ dtype, shape }: OnnxValueInfo, name: string): OnnxValueInfo {
  return { name, dtype, shape: [2, ...shape] };
}

function stacked(past: readonly Carried[], name: string): OnnxNode[] {
  const joined = `${name}.joined`;
  return [
    { type: 'Concat', inputs: past.map(({ first }) => first), outputs: [joined], attributes: { axis: 0 } },
    { type: 'Unsqueeze', inputs: [joined, SECOND_AXIS.name], outputs: [name], attributes: {} },
  ];
}

function partOf(stack: string, part: number, name: string): OnnxNode {
  return { type: 'Gather', inputs: [stack, PARTS[part].name], outputs: [name], attributes: { axis: 0 } };
}

/** Matrices [D, n] → [D, 3 n], or rows [n] → [3 n]. */
function sideBySide(name: string, parts: readonly OnnxInitializer[]): OnnxInitializer {
  const { shape } = parts[0];
  const width = shape[shape.length - 1];
  const rows = shape.slice(0, -1);
  const data = new Float32Array(parts.reduce((sum, part) => sum + part.data.length, 0));
  for (let from = 0, to = 0; to < data.length; from += width) {
    for (const part of parts) {
      data.set((part.data as Float32Array).subarray(from, from + width), to);
      to += width;
    }
  }
  return { name, shape: [...rows, parts.length * width], data };
}

/** Who makes each value of a round, and who reads it. */
class Index {
  private readonly makers: ReadonlyMap<string, OnnxNode>;
  private readonly readers = new Map<string, OnnxNode[]>();
  private readonly initializers: ReadonlyMap<string, OnnxInitializer>;
  private readonly carried: ReadonlyMap<string, Carried>;

  constructor({ before, round, after, initializers, carried }: Rounds) {
    this.makers = new Map(round.flatMap((node) => node.outputs.map((name) => [name, node])));
    for (const node of [...before, ...round, ...after]) {
      for (const name of node.inputs) this.readers.set(name, [...(this.readers.get(name) ?? []), node]);
    }
    this.initializers = new Map(initializers.map((initializer) => [initializer.name, initializer]));
    this.carried = new Map(carried.map((one) => [one.value.name, one]));
  }

  /** The node that makes a value, if it is of a type and nobody but one node reads that value. */
  makerFor(reader: OnnxNode, name: string, type: string): OnnxNode | undefined {
    const maker = this.makers.get(name);
    return maker?.type === type && this.isOnlyFor(reader, name) ? maker : undefined;
  }

  /** The node that gives a value its name as an output, if nobody else reads that value. */
  nameGiver(name: string, output: string): OnnxNode | undefined {
    const [reader, ...others] = this.readers.get(name) ?? [];
    return others.length === 0 && reader?.type === 'Identity' && reader.outputs[0] === output ? reader : undefined;
  }

  parameterFor(reader: OnnxNode, name: string): OnnxInitializer | undefined {
    return this.isOnlyFor(reader, name) ? this.initializers.get(name) : undefined;
  }

  carriedTo(reader: OnnxNode, name: string): Carried | undefined {
    return this.isOnlyFor(reader, name) ? this.carried.get(name) : undefined;
  }

  private isOnlyFor(reader: OnnxNode, name: string): boolean {
    const readers = this.readers.get(name) ?? [];
    return readers.length === 1 && readers[0] === reader;
  }
}

function attentionAt(node: OnnxNode, index: Index): Found | undefined {
  if (node.type !== 'com.microsoft:MultiHeadAttention') return undefined;
  const { inputs, outputs } = node;
  if (inputs[PENALTY]) return undefined; // the operator has no place for it beside a past
  const past = [PAST_KEYS, PAST_VALUES].flatMap((place) => index.carriedTo(node, inputs[place] ?? '') ?? []);
  const named = past.flatMap(({ next }, part) => index.nameGiver(outputs[part + 1], next.name) ?? []);
  const projections = inputs.slice(0, 3).flatMap((name) => projectionFor(node, name, index) ?? []);
  if (named.length < 2 || projections.length < 3) return undefined;
  const [first, ...others] = projections;
  const areAlike = others.every(({ x, weight }) => x === first.x && `${weight.shape}` === `${first.weight.shape}`);
  if (!areAlike) return undefined;
  const replaced = new Set([...named, ...projections.flatMap(({ nodes }) => nodes)]);
  return { node, projections, past, replaced };
}

function projectionFor(reader: OnnxNode, name: string, index: Index): Projection | undefined {
  const sum = index.makerFor(reader, name, 'Add');
  const product = sum && index.makerFor(sum, sum.inputs[0], 'MatMul');
  const bias = sum && index.parameterFor(sum, sum.inputs[1]);
  const weight = product && index.parameterFor(product, product.inputs[1]);
  if (sum === undefined || product === undefined || bias === undefined || weight === undefined) return undefined;
  return { x: product.inputs[0], weight, bias, nodes: [product, sum] };
}
