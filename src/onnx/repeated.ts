// A graph that feeds itself: round after round in one run of the engine, by ONNX's Loop. What a run costs besides its computing,
// handing over tensors above all, is then paid once; and so is whatever no round changes.

import { HeedError } from '../base/error.ts';
import type { Tensor } from '../tensor/index.ts';
import type { OnnxGraph, OnnxNode, OnnxValueInfo } from './graph.ts';
import { type LoweredGraph, type LowerOptions, lower } from './model.ts';

/** How a round follows from the one before. */
export interface Repetition {
  /** By the name of an input: what it is in the next round. Inputs that are not named here stay what the run is fed. */
  readonly carried: Readonly<Record<string, Tensor>>;
  /** By the name of an input that is carried: what it is in the first round. Default: what the run is fed. */
  readonly initial?: Readonly<Record<string, Tensor>>;
  /** One number: another round follows unless it is 0. */
  readonly goesOn: Tensor;
}

/** The input that says how many rounds there are at most, int32 [1]. */
export const ROUNDS = 'rounds';

/** ONNX's codes as Cast targets. */
const INT64 = 7;
const BOOL = 9;

/** The graph that computes the outputs of each round, stacked: [rounds done, …]. */
export function lowerRepeated(
  outputs: Readonly<Record<string, Tensor>>,
  { carried, initial = {}, goesOn }: Repetition,
  options: LowerOptions = {},
): LoweredGraph {
  const next = Object.entries(carried).map(([name, tensor]) => [`next.${name}`, tensor] as const);
  const first = Object.entries(initial).map(([name, tensor]) => [`first.${name}`, tensor] as const);
  const { graph, keepMasks } = lower({ goesOn, ...Object.fromEntries([...next, ...first]), ...outputs }, options);
  const state = Object.keys(carried).map((name) => valueNamed(graph.inputs, name));
  const results = graph.outputs.filter(({ name }) => name in outputs);
  const ends = ['goesOn', ...next.map(([name]) => name), ...results.map(({ name }) => name)];
  const { before, within } = partedBy(graph, { state: new Set(Object.keys(carried)), ends: new Set(ends) });

  const loop: OnnxNode = {
    type: 'Loop',
    inputs: ['rounds.scalar', '', ...state.map(({ name }) => (name in initial ? `first.${name}` : name))],
    outputs: [...state.map(({ name }) => `last.${name}`), ...results.map(({ name }) => name)],
    attributes: { body: bodyOf({ ...graph, ...within }, { state, results }) },
  };
  const whole: OnnxGraph = {
    nodes: [
      { type: 'Cast', inputs: [ROUNDS], outputs: ['rounds.int64'], attributes: { to: INT64 } },
      { type: 'Squeeze', inputs: ['rounds.int64'], outputs: ['rounds.scalar'], attributes: {} },
      ...before.nodes,
      loop,
    ],
    initializers: before.initializers,
    inputs: [{ name: ROUNDS, dtype: 'int32', shape: [1] }, ...graph.inputs.filter(({ name }) => !(name in initial))],
    outputs: results.map((output) => ({ ...output, shape: [ROUNDS, ...output.shape] })),
  };
  return { graph: whole, keepMasks };
}

type Part = Pick<OnnxGraph, 'nodes' | 'initializers'>;

/** What is computed once, before the rounds, and what in each of them: whatever follows from their state, and their ends. */
function partedBy(
  { nodes, initializers }: OnnxGraph,
  { state, ends }: { state: ReadonlySet<string>; ends: ReadonlySet<string> },
): { before: Part; within: Part } {
  const changing = new Set(state);
  for (const { inputs, outputs } of nodes) {
    const changes = inputs.some((name) => changing.has(name)) || outputs.some((name) => ends.has(name));
    if (changes) for (const name of outputs) changing.add(name);
  }
  const isWithin = ({ outputs }: OnnxNode) => changing.has(outputs[0]);
  const before = nodes.filter((node) => !isWithin(node));
  const usedBefore = new Set(before.flatMap(({ inputs }) => inputs));
  return {
    before: { nodes: before, initializers: initializers.filter(({ name }) => usedBefore.has(name)) },
    within: { nodes: nodes.filter(isWithin), initializers: initializers.filter(({ name }) => !usedBefore.has(name)) },
  };
}

/** One round as the body of a loop: number and condition, then the state; out come the condition, the next state and what is stacked. */
function bodyOf(
  round: OnnxGraph,
  { state, results }: { state: readonly OnnxValueInfo[]; results: readonly OnnxValueInfo[] },
): OnnxGraph {
  // A body sees the names around it, so that its own must be others.
  const own = new Map([...state, ...results].map(({ name }) => [name, `round.${name}`]));
  const renamed = (names: readonly string[]) => names.map((name) => own.get(name) ?? name);
  const nodes = round.nodes.map((node) => ({ ...node, inputs: renamed(node.inputs), outputs: renamed(node.outputs) }));
  const inBody = ({ name, ...type }: OnnxValueInfo) => ({ name: own.get(name) ?? name, ...type });
  return {
    nodes: [
      ...nodes,
      { type: 'Cast', inputs: ['goesOn'], outputs: ['goesOn.bool'], attributes: { to: BOOL } },
      { type: 'Squeeze', inputs: ['goesOn.bool'], outputs: ['goesOn.scalar'], attributes: {} },
    ],
    initializers: round.initializers,
    inputs: [
      { name: 'round', dtype: 'int64', shape: [] },
      { name: 'condition', dtype: 'bool', shape: [] },
      ...state.map(inBody),
    ],
    outputs: [
      { name: 'goesOn.scalar', dtype: 'bool', shape: [] },
      ...state.map(({ name }) => valueNamed(round.outputs, `next.${name}`)),
      ...results.map(inBody),
    ],
  };
}

function valueNamed(values: readonly OnnxValueInfo[], wanted: string): OnnxValueInfo {
  const found = values.find(({ name }) => name === wanted);
  if (found === undefined)
    throw new HeedError('lower', `what is carried from round to round must be an input, got ${wanted}.`);
  return found;
}
