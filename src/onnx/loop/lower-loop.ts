// A graph that feeds itself: round after round in one run of the engine, by ONNX's Loop. What a run costs besides its computing,
// handing over tensors above all, is then paid once; and so is whatever no round changes.

import { HeedError } from '../../base/error.ts';
import type { Tensor } from '../../tensor/index.ts';
import { withWholeAttention } from '../fusions/self-attention.ts';
import type { OnnxGraph, OnnxNode, OnnxValueInfo } from '../graph.ts';
import { type LoweredGraph, type LowerOptions, lower } from '../lower.ts';
import type { Carried, Rounds } from './iteration.ts';

/** How a round follows from the one before. */
export interface Repetition {
  /** By the name of an input: what it is in the next round. Inputs that are not named here stay what the run is fed. */
  readonly carried: Readonly<Record<string, Tensor>>;
  /** By the name of an input that is carried: what it is in the first round. Default: what the run is fed. */
  readonly initial?: Readonly<Record<string, Tensor>>;
  /** One number: another round follows unless it is 0. */
  readonly goesOn: Tensor;
  /** What is computed once more, of inputs that are carried as they are after the last round. Default: nothing. */
  readonly results?: Readonly<Record<string, Tensor>>;
}

/** The input that says how many rounds there are at most, int32 [1]. */
export const ROUNDS = 'rounds';

/** ONNX's codes as Cast targets. */
const INT64 = 7;
const BOOL = 9;

/** The graph that computes the outputs of each round, stacked [rounds done, …], and the results. */
export function lowerRepeated(
  outputs: Readonly<Record<string, Tensor>>,
  repetition: Repetition,
  options: LowerOptions = {},
): LoweredGraph {
  const { carried, initial = {}, goesOn, results = {} } = repetition;
  const next = Object.entries(carried).map(([name, tensor]) => [`next.${name}`, tensor] as const);
  const first = Object.entries(initial).map(([name, tensor]) => [`first.${name}`, tensor] as const);
  const { graph, keepMasks } = lower({ goesOn, ...Object.fromEntries([...next, ...first]), ...outputs }, options);
  const state = Object.keys(carried).map((name) => ({
    value: valueNamed(graph.inputs, name),
    next: valueNamed(graph.outputs, `next.${name}`),
    first: name in initial ? `first.${name}` : name,
    last: `last.${name}`,
  }));
  const stacked = graph.outputs.filter(({ name }) => name in outputs);
  const end = afterRounds(lower(results, options).graph);
  const rounds = withWholeAttention({
    ...partedBy(graph.nodes, state, stacked),
    after: end.nodes,
    carried: state,
    initializers: [...graph.initializers, ...end.initializers],
  });
  const loop: OnnxNode = {
    type: 'Loop',
    inputs: ['rounds.scalar', '', ...rounds.carried.map((value) => value.first)],
    outputs: [...rounds.carried.map(({ last }) => last), ...stacked.map(({ name }) => name)],
    attributes: { body: bodyOf(rounds, stacked) },
  };
  const whole: OnnxGraph = {
    nodes: [
      { type: 'Cast', inputs: [ROUNDS], outputs: ['rounds.int64'], attributes: { to: INT64 } },
      { type: 'Squeeze', inputs: ['rounds.int64'], outputs: ['rounds.scalar'], attributes: {} },
      ...rounds.before,
      loop,
      ...rounds.after,
    ],
    initializers: rounds.initializers,
    inputs: [{ name: ROUNDS, dtype: 'int32', shape: [1] }, ...graph.inputs.filter(({ name }) => !(name in initial))],
    outputs: [...stacked.map((output) => ({ ...output, shape: [ROUNDS, ...output.shape] })), ...end.outputs],
  };
  return { graph: whole, keepMasks };
}

/** A graph of what is carried, as it is after the last round, under names that are nobody else's. */
function afterRounds({ nodes, initializers, inputs, outputs }: OnnxGraph): OnnxGraph {
  const own = [...nodes.flatMap((node) => node.outputs), ...initializers.map(({ name }) => name)];
  const names = new Map([
    ...own.map((name) => [name, `end.${name}`] as const),
    ...inputs.map(({ name }) => [name, `last.${name}`] as const),
    ...outputs.map(({ name }) => [name, name] as const),
  ]);
  return {
    nodes: renamed(nodes, names),
    initializers: initializers.map(({ name, ...value }) => ({ name: `end.${name}`, ...value })),
    ...{ inputs, outputs },
  };
}

/** What is computed once, before the rounds, and what in each of them: whatever follows from what is carried, and its ends. */
function partedBy(
  nodes: readonly OnnxNode[],
  carried: readonly Carried[],
  stacked: readonly OnnxValueInfo[],
): Pick<Rounds, 'before' | 'round'> {
  const ends = new Set(['goesOn', ...carried.map(({ next }) => next.name), ...stacked.map(({ name }) => name)]);
  const changing = new Set(carried.map(({ value }) => value.name));
  for (const { inputs, outputs } of nodes) {
    const changes = inputs.some((name) => changing.has(name)) || outputs.some((name) => ends.has(name));
    if (changes) for (const name of outputs) changing.add(name);
  }
  const isWithin = ({ outputs }: OnnxNode) => changing.has(outputs[0]);
  return { before: nodes.filter((node) => !isWithin(node)), round: nodes.filter(isWithin) };
}

/** One round as the body of a loop: number and condition, then what is carried; out come the condition, the next of it and what is stacked. */
function bodyOf({ round, carried }: Rounds, stacked: readonly OnnxValueInfo[]): OnnxGraph {
  // A body sees the names around it, so that its own must be others.
  const values = carried.map(({ value }) => value);
  const own = new Map([...values, ...stacked].map(({ name }) => [name, `round.${name}`]));
  const inBody = ({ name, ...type }: OnnxValueInfo) => ({ name: own.get(name) ?? name, ...type });
  return {
    nodes: [
      ...renamed(round, own),
      { type: 'Cast', inputs: ['goesOn'], outputs: ['goesOn.bool'], attributes: { to: BOOL } },
      { type: 'Squeeze', inputs: ['goesOn.bool'], outputs: ['goesOn.scalar'], attributes: {} },
    ],
    initializers: [],
    inputs: [
      { name: 'round', dtype: 'int64', shape: [] },
      { name: 'condition', dtype: 'bool', shape: [] },
      ...values.map(inBody),
    ],
    outputs: [
      { name: 'goesOn.scalar', dtype: 'bool', shape: [] },
      ...carried.map(({ next }) => next),
      ...stacked.map(inBody),
    ],
  };
}

/** The nodes with other names for some of the values. */
function renamed(nodes: readonly OnnxNode[], names: ReadonlyMap<string, string>): OnnxNode[] {
  const other = (list: readonly string[]) => list.map((name) => names.get(name) ?? name);
  return nodes.map((node) => ({ ...node, inputs: other(node.inputs), outputs: other(node.outputs) }));
}

function valueNamed(values: readonly OnnxValueInfo[], wanted: string): OnnxValueInfo {
  const found = values.find(({ name }) => name === wanted);
  if (found === undefined)
    throw new HeedError('lower', `what is carried from round to round must be an input, got ${wanted}.`);
  return found;
}
