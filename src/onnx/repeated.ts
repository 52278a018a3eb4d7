// A graph that feeds itself: round after round in one run of the engine, by ONNX's Loop. What a run costs besides its computing,
// handing over tensors above all, is then paid once.

import { HeedError } from '../base/error.ts';
import type { Tensor } from '../tensor/index.ts';
import type { OnnxGraph, OnnxNode, OnnxValueInfo } from './graph.ts';
import { type LoweredGraph, type LowerOptions, lower } from './model.ts';

/** How a round follows from the one before. */
export interface Repetition {
  /** By the name of an input: what it is in the next round. Inputs that are not named here stay what the run is fed. */
  readonly carried: Readonly<Record<string, Tensor>>;
  /** One float32: another round follows unless it is 0. */
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
  { carried, goesOn }: Repetition,
  options: LowerOptions = {},
): LoweredGraph {
  const next = Object.entries(carried).map(([name, tensor]) => [`next.${name}`, tensor] as const);
  const { graph: round, keepMasks } = lower({ goesOn, ...Object.fromEntries(next), ...outputs }, options);
  const state = Object.keys(carried).map((name) => valueNamed(round.inputs, name));
  const results = round.outputs.filter(({ name }) => name in outputs);

  const loop: OnnxNode = {
    type: 'Loop',
    inputs: ['rounds.scalar', '', ...state.map(({ name }) => name)],
    outputs: [...state.map(({ name }) => `last.${name}`), ...results.map(({ name }) => name)],
    attributes: { body: bodyOf(round, { state, results }) },
  };
  const graph: OnnxGraph = {
    nodes: [
      { type: 'Cast', inputs: [ROUNDS], outputs: ['rounds.int64'], attributes: { to: INT64 } },
      { type: 'Squeeze', inputs: ['rounds.int64'], outputs: ['rounds.scalar'], attributes: {} },
      loop,
    ],
    initializers: [],
    inputs: [{ name: ROUNDS, dtype: 'int32', shape: [1] }, ...round.inputs],
    outputs: results.map((output) => ({ ...output, shape: [ROUNDS, ...output.shape] })),
  };
  return { graph, keepMasks };
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
