// The decode loop: a graph that computes several steps in one run, for a batch of one sentence. Its body is a step and the token
// selection of the search; it ends when the search would stop.
// W hypotheses, P slots, C candidates of each hypothesis.

import type { SequenceModel } from '../architectures/index.ts';
import { identityMask, type StateSpec, type States } from '../nn/index.ts';
import type { LoopGraph } from '../runtime/index.ts';
import {
  add,
  concatenate,
  constant,
  constantIds,
  gather,
  type InputAttributes,
  input,
  logSoftmax,
  reshape,
  type Tensor,
  topologicalOrder,
} from '../tensor/index.ts';
import { candidates, stepInputs } from './graphs.ts';
import { type AppendGroup, appendGroups, asStored, lengthAxis, replacedStates, restOf } from './state-layout.ts';
import { LOWEST, selectBeam, selectGreedy } from './token-selection.ts';

export interface DecodeLoopOptions {
  /** W. With 1 the search is greedy: it takes the best candidate, which may be END. */
  readonly width: number;
  /** C, candidates per hypothesis that a step returns. */
  readonly top: number;
  readonly startId: number;
  readonly endId: number;
  /**
   * start: the first steps of a search; the source, if there is one, is encoded in the same run. states: continues from states
   * that are fed, as `stepGraph` reads them.
   */
  readonly from: 'start' | 'states';
}

export interface DecodeLoop {
  /**
   * The results of each step; the next states of kind `replace`; and with several hypotheses the predicted selection of the
   * search, `nextTokens` and `parents` [1, W].
   * Results are the states of kind `append` after the last step, for each group of L states [L, …shape].
   */
  readonly outputs: Record<string, Tensor>;
  readonly loop: LoopGraph;
}

/** Repeats the step of `stepGraph` for one sentence until the search would stop. */
export function decodeLoop(model: SequenceModel, options: DecodeLoopOptions): DecodeLoop {
  const { width, from } = options;
  const inputs = stepInputs(model, { sentences: 1, width });
  const growing = model.states.filter(({ kind }) => kind === 'append');
  const past = Object.fromEntries(growing.map((spec) => [spec.name, pastState(spec)]));
  const encoded = from === 'start' ? encodedSource(model) : {};
  const context = { ...inputs.context, states: { ...inputs.context.states, ...encoded, ...past } };
  const { logits, states } = model.step(inputs.tokens, context);
  const answer = candidates(logSoftmax(logits), options.top); // [1, W, C]
  const { nextTokens, parents, condition, carried } =
    width === 1 ? selectGreedy(answer, options) : selectBeam(answer, context.at, options);
  const next = {
    tokens: nextTokens,
    position: add(context.at, constantIds([1], [1])),
    ...(context.mask === undefined || parents === undefined ? {} : { mask: maskAfter(context.mask, parents) }),
    ...pastStates(growing, (spec) => concatenate([past[spec.name], states[spec.name]], lengthAxis(spec))),
    ...replacedAfter(model.states, states, parents),
    ...carried,
  };
  const keyPositions = { keyPositions: keyPositionsAfter(context.keysAt, next.position, width) };
  const needsKeyPositions = readsInput([...Object.values(answer), ...Object.values(states)], 'keyPositions');
  return {
    outputs: {
      ...answer,
      ...replacedStates(model.states, states),
      ...(parents === undefined ? {} : { nextTokens, parents }),
    },
    loop: {
      condition,
      results: resultsOf(appendGroups(model.states), past),
      initial: {
        ...pastStates(growing, (spec) => (from === 'start' ? noPositions(spec) : inputs.context.states[spec.name])),
        ...(from === 'start' ? start(model.states, options, needsKeyPositions) : {}),
      },
      carried: { ...next, ...(needsKeyPositions ? keyPositions : {}) },
    },
  };
}

/** The fixed states, encoded in the same run. */
function encodedSource(model: SequenceModel): States {
  const encoded = model.encode?.(input('source', 'int32', [1, 'source'])) ?? {};
  return asStored(model.states, encoded);
}

/** A state of kind `append` before an iteration: [1, …shape] with P positions. */
function pastState(spec: StateSpec): Tensor {
  const shape = spec.shape.map((dim) => (dim === 'length' ? 'slots' : dim));
  return input(pastName(spec), 'float32', [1, ...shape]);
}

function pastName({ name }: StateSpec): string {
  return `past.${name}`;
}

function pastStates(specs: readonly StateSpec[], stateOf: (spec: StateSpec) => Tensor): Record<string, Tensor> {
  return Object.fromEntries(specs.map((spec) => [pastName(spec), stateOf(spec)]));
}

function resultsOf(groups: readonly AppendGroup[], past: States): Record<string, Tensor> {
  const entries = groups.map(({ name, specs }) => {
    const states = specs.map((spec) => past[spec.name]);
    return [name, concatenate(states, 0)];
  });
  return Object.fromEntries(entries);
}

/** The next attention mask, [1, 1, W, P] → [1, 1, W, P + W]: each hypothesis sees what its parent saw, and itself. */
function maskAfter(mask: Tensor, parents: Tensor): Tensor {
  const [, , width, slots] = mask.shape;
  const ofParents = gather(reshape(mask, [width, slots]), reshape(parents, [1, 1, width]));
  return concatenate([ofParents, identityMask(Number(width))], -1);
}

/** The positions of all slots and of the next step: the previous ones, and W times the next position. */
function keyPositionsAfter(keyPositions: Tensor, position: Tensor, width: number): Tensor {
  return concatenate([keyPositions, ...new Array<Tensor>(width).fill(position)], 0);
}

/** The states of kind `replace` of the next hypotheses, taken from their parents, [1, W, …shape]. */
function replacedAfter(specs: readonly StateSpec[], after: States, parents: Tensor | undefined): States {
  const replaced = specs.filter(({ kind }) => kind === 'replace');
  return Object.fromEntries(
    replaced.map(({ name }) => [name, parents === undefined ? after[name] : ofParents(after[name], parents)]),
  );
}

/** [1, W, …] → [1, W, …], gathered by the parents [1, W] */
function ofParents(state: Tensor, parents: Tensor): Tensor {
  return gather(reshape(state, state.shape.slice(1)), parents);
}

function readsInput(outputs: Iterable<Tensor>, name: string): boolean {
  return topologicalOrder(outputs).some(
    ({ operator, attributes }) => operator.name === 'input' && (attributes as InputAttributes).name === name,
  );
}

/** A state of kind `append` before the first step. */
function noPositions(spec: StateSpec): Tensor {
  const shape = spec.shape.map((dim) => (dim === 'length' ? 0 : Number(dim)));
  return constant([1, ...shape], []);
}

/** The first step of a search: of W equal hypotheses only the first is used. */
function start(
  specs: readonly StateSpec[],
  { width, startId }: DecodeLoopOptions,
  needsKeyPositions: boolean,
): Record<string, Tensor> {
  const totals = Array.from({ length: width }, (_, row) => (row === 0 ? 0 : LOWEST));
  const zeros = specs
    .filter(({ kind }) => kind === 'replace')
    .map((spec) => {
      const shape = [1, width, ...restOf(spec)];
      return [spec.name, constant(shape, new Float32Array(shape.reduce((product, dim) => product * dim)))] as const;
    });
  return {
    tokens: constantIds([1, width], new Array<number>(width).fill(startId)),
    position: constantIds([1], [0]),
    ...(needsKeyPositions ? { keyPositions: constantIds([width], new Array<number>(width).fill(0)) } : {}),
    ...Object.fromEntries(zeros),
    ...(width === 1
      ? {}
      : {
          mask: identityMask(width),
          totals: constant([1, width, 1], totals),
          threshold: constant([1], [LOWEST]),
        }),
  };
}
