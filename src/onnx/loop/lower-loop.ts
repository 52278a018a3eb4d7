// A graph that feeds itself, iteration after iteration in one run of the engine, by ONNX's Loop. What a run costs besides its
// computing, handing over tensors above all, is then paid once; and so is what no iteration changes.

import { HeedError } from '../../base/error.ts';
import type { OnnxAttribute, Tensor } from '../../tensor/index.ts';
import type { Fusions } from '../fusions/fusion.ts';
import { withFusedSelfAttention } from '../fusions/self-attention.ts';
import { isGraph, namesRead, type OnnxGraph, type OnnxNode, type OnnxValueInfo } from '../graph.ts';
import { type LoweredGraph, lower } from '../lower.ts';
import { isSupported, type LowerOptions } from '../options.ts';
import type { LoopBody, LoopGraph } from './body.ts';

/** The input that says how many iterations there are at most, int32 [1]. */
export const ITERATIONS = 'iterations';

const CONDITION = 'condition';

/** ONNX's codes as Cast targets. */
const INT64 = 7;
const BOOL = 9;

/** A loop-carried value under the names it has in the graph. */
interface Carried {
  /** In an iteration. */
  readonly value: OnnxValueInfo;
  /** What an iteration makes of it for the next one. */
  readonly next: OnnxValueInfo;
  /** In the first iteration. */
  readonly initial: string;
  /** After the last iteration. */
  readonly final: string;
}

/**
 * The graph that computes the outputs of each iteration, stacked [iterations done, …], and the results.
 * @throws HeedError if the engine has no loops
 */
export function lowerLoop(
  outputs: Readonly<Record<string, Tensor>>,
  loop: LoopGraph,
  options: LowerOptions = {},
): LoweredGraph {
  if (!isSupported('Loop', options))
    throw new HeedError('lower', 'a loop needs an engine with the operator Loop; run its iterations one by one.');
  const body = withFusedSelfAttention(bodyOf(outputs, loop), options);
  const { graph, keepMasks } = lowerBody(body, options);
  const carried = Object.keys(body.carried).map((name): Carried => {
    return {
      value: valueNamed(graph.inputs, name),
      next: valueNamed(graph.outputs, `next.${name}`),
      initial: name in body.initial ? `initial.${name}` : name,
      final: `final.${name}`,
    };
  });
  const stacked = graph.outputs.filter(({ name }) => name in outputs);
  const { once, repeated } = partition(graph.nodes, carried, stacked);
  const after = afterLoop(lower(body.results, options, body.fusions).graph);
  const node: OnnxNode = {
    type: 'Loop',
    inputs: [`${ITERATIONS}.scalar`, '', ...carried.map(({ initial }) => initial)],
    outputs: [...carried.map(({ final }) => final), ...stacked.map(({ name }) => name)],
    attributes: { body: bodyGraph(repeated, carried, stacked) },
  };
  return {
    graph: {
      nodes: [
        { type: 'Cast', inputs: [ITERATIONS], outputs: [`${ITERATIONS}.int64`], attributes: { to: INT64 } },
        { type: 'Squeeze', inputs: [`${ITERATIONS}.int64`], outputs: [`${ITERATIONS}.scalar`], attributes: {} },
        ...once,
        node,
        ...after.nodes,
      ],
      // Those of the body, too: the engine cannot write to a file what it has made of constants within a loop.
      initializers: [...graph.initializers, ...after.initializers],
      inputs: [
        { name: ITERATIONS, dtype: 'int32', shape: [1] },
        ...graph.inputs.filter(({ name }) => !(name in body.initial)),
      ],
      outputs: [...stacked.map((output) => ({ ...output, shape: [ITERATIONS, ...output.shape] })), ...after.outputs],
    },
    keepMasks,
  };
}

function bodyOf(outputs: Readonly<Record<string, Tensor>>, loop: LoopGraph): LoopBody {
  const fusions: Fusions = new Map();
  return { outputs, initial: {}, results: {}, ...loop, fusions };
}

/** What comes before the loop and what is in it, as one graph. */
function lowerBody({ outputs, carried, initial, condition, fusions }: LoopBody, options: LowerOptions): LoweredGraph {
  const prefixed = (prefix: string, values: Readonly<Record<string, Tensor>>) =>
    Object.entries(values).map(([name, tensor]) => [`${prefix}.${name}`, tensor] as const);
  const ends = Object.fromEntries([...prefixed('next', carried), ...prefixed('initial', initial)]);
  return lower({ [CONDITION]: condition, ...ends, ...outputs }, options, fusions);
}

/** A graph of loop-carried values, as they are after the last iteration, under names of its own. */
function afterLoop({ nodes, initializers, inputs, outputs }: OnnxGraph): OnnxGraph {
  const own = [...nodes.flatMap((node) => node.outputs), ...initializers.map(({ name }) => name)];
  const names = new Map([
    ...own.map((name) => [name, `after.${name}`] as const),
    ...inputs.map(({ name }) => [name, `final.${name}`] as const),
    ...outputs.map(({ name }) => [name, name] as const),
  ]);
  return {
    nodes: renamed(nodes, names),
    initializers: initializers.map(({ name, ...value }) => ({ name: `after.${name}`, ...value })),
    inputs,
    outputs,
  };
}

/** What is computed once, before the loop, and what in each iteration: what follows from loop-carried values, and its outputs. */
function partition(
  nodes: readonly OnnxNode[],
  carried: readonly Carried[],
  stacked: readonly OnnxValueInfo[],
): { once: OnnxNode[]; repeated: OnnxNode[] } {
  const ends = new Set([CONDITION, ...carried.map(({ next }) => next.name), ...stacked.map(({ name }) => name)]);
  const changing = new Set(carried.map(({ value }) => value.name));
  for (const node of nodes) {
    const { outputs } = node;
    const changes = namesRead(node).some((name) => changing.has(name)) || outputs.some((name) => ends.has(name));
    if (changes) for (const name of outputs) changing.add(name);
  }
  const isRepeated = ({ outputs }: OnnxNode) => changing.has(outputs[0]);
  return { once: nodes.filter((node) => !isRepeated(node)), repeated: nodes.filter(isRepeated) };
}

/** Into a body go the number of the iteration, the condition and what is carried; out come condition, next values and what is stacked. */
function bodyGraph(
  nodes: readonly OnnxNode[],
  carried: readonly Carried[],
  stacked: readonly OnnxValueInfo[],
): OnnxGraph {
  // A body sees the names around it, so that its own must be others.
  const values = carried.map(({ value }) => value);
  const own = new Map([...values, ...stacked].map(({ name }) => [name, `iteration.${name}`]));
  const inBody = ({ name, ...type }: OnnxValueInfo) => ({ name: own.get(name) ?? name, ...type });
  return {
    nodes: [
      ...renamed(nodes, own),
      { type: 'Cast', inputs: [CONDITION], outputs: [`${CONDITION}.bool`], attributes: { to: BOOL } },
      { type: 'Squeeze', inputs: [`${CONDITION}.bool`], outputs: [`${CONDITION}.scalar`], attributes: {} },
    ],
    initializers: [],
    inputs: [
      { name: 'iteration', dtype: 'int64', shape: [] },
      { name: `${CONDITION}.before`, dtype: 'bool', shape: [] },
      ...values.map(inBody),
    ],
    outputs: [
      { name: `${CONDITION}.scalar`, dtype: 'bool', shape: [] },
      ...carried.map(({ next }) => next),
      ...stacked.map(inBody),
    ],
  };
}

/** The nodes with other names for some of the values. */
function renamed(nodes: readonly OnnxNode[], names: ReadonlyMap<string, string>): OnnxNode[] {
  const other = (list: readonly string[]) => list.map((name) => names.get(name) ?? name);
  const inBodies = (value: OnnxAttribute | OnnxGraph) => {
    return isGraph(value) ? { ...value, nodes: renamed(value.nodes, names) } : value;
  };
  return nodes.map(({ type, inputs, outputs, attributes }) => ({
    type,
    inputs: other(inputs),
    outputs: other(outputs),
    attributes: Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, inBodies(value)])),
  }));
}

function valueNamed(values: readonly OnnxValueInfo[], wanted: string): OnnxValueInfo {
  const found = values.find(({ name }) => name === wanted);
  if (found === undefined) throw new HeedError('lower', `a loop-carried value must be an input, got ${wanted}.`);
  return found;
}
