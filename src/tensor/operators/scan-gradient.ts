// Back-propagation through time: the gradient of a scan is a scan in the other direction. Each of its steps recomputes the forward
// step from the states before it, and propagates the gradients of the states.

import { backward } from '../backward.ts';
import type { OutputsGradientContext } from '../operator.ts';
import type { ScanResults } from '../recurrence.ts';
import { sameShape } from '../shape.ts';
import { apply, type Tensor } from '../tensor.ts';
import { placeholder } from './leaf.ts';
import type { SumAttributes } from './reduce.ts';
import { nodesWithin, type ScanAttributes, stackedBy, tensorsAround, timeAxis } from './scan-body.ts';

type Context = OutputsGradientContext<ScanAttributes>;
type Functions = Context['f'];

/** Computes a tensor from the results of the backward scan. */
type Reading = (results: ScanResults) => Tensor;

export function scanGradient(context: Context): (Tensor | undefined)[] {
  const { inputs, attributes, output, gradients, needed, f } = context;
  const { body, axis } = attributes;
  const count = body.states.length;
  const stacked = stackedBy(body);
  const ofResults = [...body.next, ...stacked].map((result, i) => {
    const isCarried = i < count && result.dtype === 'float32';
    return isCarried || gradients[i] !== undefined ? placeholderLike(result) : undefined;
  });
  const shares = sharesOf(context, ofResults);

  const scan = new BackwardScan(attributes, f);
  body.states.forEach((state, i) => {
    scan.feed(state, f.outputAt(output, count + body.outputs.length + i));
  });
  body.slices.forEach((slice, i) => {
    scan.feed(slice, inputs[count + i]);
  });
  stacked.forEach((_, i) => {
    const [leaf, values] = [ofResults[count + i], gradients[count + i]];
    if (leaf !== undefined && values !== undefined) scan.feed(leaf, values);
  });
  const readings = inputs.map((input, i): Reading | undefined => {
    const share = shares[i];
    if (i < count) {
      const [leaf, state] = [ofResults[i], body.states[i]];
      return leaf && scan.carry(leaf, gradients[i] ?? zerosLike(input, f), share ?? zerosLike(state, f));
    }
    if (share === undefined || !needed[i]) return undefined;
    return i < count + body.slices.length ? scan.keep(share) : scan.sumOfSteps(input, share, axis);
  });
  const results = scan.results();
  return readings.map((reading) => reading?.(results));
}

/** A step's contribution to the gradient of each input, given placeholders of the gradients of its results. */
function sharesOf({ attributes: { body }, needed, f }: Context, ofResults: readonly (Tensor | undefined)[]) {
  const leaves = [...body.states, ...body.slices, ...tensorsAround(body)];
  const isWanted = (leaf: Tensor, i: number) => leaf.dtype === 'float32' && (needed[i] || i < body.states.length);
  const wanted = leaves.filter(isWanted);
  const given = [...body.next, ...stackedBy(body)].flatMap((result, i) => {
    const gradient = ofResults[i];
    return gradient === undefined ? [] : [[result, gradient] as const];
  });
  const found = backward({ order: nodesWithin(body), given, wanted, f });
  const shares = new Map(wanted.map((leaf, i) => [leaf, found[i]]));
  return leaves.map((leaf) => shares.get(leaf));
}

/** Builder of the backward scan: each addition returns how to read its value from the results. */
class BackwardScan {
  private readonly carried: { leaf: Tensor; initial: Tensor; next: Tensor }[] = [];
  private readonly fed: { leaf: Tensor; values: Tensor }[] = [];
  private readonly kept: Tensor[] = [];

  constructor(
    private readonly forward: ScanAttributes,
    private readonly f: Functions,
  ) {}

  feed(leaf: Tensor, values: Tensor): void {
    this.fed.push({ leaf, values });
  }

  carry(leaf: Tensor, initial: Tensor, next: Tensor): Reading {
    const place = this.carried.push({ leaf, initial, next }) - 1;
    return ({ states }) => states[place];
  }

  /** Stacks a tensor over the steps; inputs of the scan are stacked already. */
  keep(output: Tensor): Reading {
    const fed = this.fed.find(({ leaf }) => leaf === output);
    if (fed !== undefined) return () => fed.values;
    if (!this.kept.includes(output)) this.kept.push(output);
    const place = this.kept.indexOf(output);
    return ({ outputs }) => outputs[place];
  }

  /** Sums the contributions of all steps to the gradient of a captured tensor, after the steps if possible, else as a state. */
  sumOfSteps(tensor: Tensor, share: Tensor, axis: number): Reading {
    const { f } = this;
    const readings: Reading[] = [];
    const others: Tensor[] = [];
    for (const term of termsOf(share)) {
      const afterwards = sumAfterSteps(term, axis, f);
      if (afterwards === undefined) {
        others.push(term);
        continue;
      }
      const kept = afterwards.kept.map((one) => this.keep(one));
      readings.push((results) => afterwards.sum(kept.map((reading) => reading(results))));
    }
    if (others.length > 0) {
      const sofar = placeholderLike(tensor);
      readings.push(this.carry(sofar, zerosLike(tensor, f), others.reduce(f.add, sofar)));
    }
    return (results) => readings.map((reading) => reading(results)).reduce(f.add);
  }

  results(): ScanResults {
    const { carried, fed, kept, forward } = this;
    const body = {
      states: carried.map(({ leaf }) => leaf),
      slices: fed.map(({ leaf }) => leaf),
      next: carried.map(({ next }) => next),
      outputs: kept,
    };
    const given = [...carried.map(({ initial }) => initial), ...fed.map(({ values }) => values)];
    return this.f.scanOf({ ...forward, body, reverse: !forward.reverse }, given);
  }
}

/** The outputs of each step that a sum over all steps needs, and that sum. */
interface SumAfterSteps {
  readonly kept: readonly Tensor[];
  sum(stacked: readonly Tensor[]): Tensor;
}

/** The gradients of matrices and biases: one product or sum over all steps instead of one per step and a carried sum. */
function sumAfterSteps(term: Tensor, axis: number, f: Functions): SumAfterSteps | undefined {
  const { operator, inputs, attributes } = term;
  const turned = f.untransposed(term);
  if (turned !== undefined) {
    const inner = sumAfterSteps(turned, axis, f);
    return inner && { kept: inner.kept, sum: (stacked) => f.transpose(inner.sum(stacked)) };
  }
  if (operator.name === 'matmul') {
    const rows = f.untransposed(inputs[0]);
    if (rows?.shape.length !== 2 || inputs[1].shape.length !== 2 || axis > 1) return undefined;
    const sum: SumAfterSteps['sum'] = ([left, right]) => {
      return f.matmul(f.transpose(f.flattenRows(left)), f.flattenRows(right));
    };
    return { kept: [rows, inputs[1]], sum };
  }
  if (operator.name === 'sum') {
    const { axes, keep } = attributes as SumAttributes;
    if (keep) return undefined;
    const time = timeAxis(axis, inputs[0].shape.length);
    const all = [time, ...axes.map((one) => (one < time ? one : one + 1))];
    return { kept: inputs, sum: ([stacked]) => f.sum(stacked, { axes: all }) };
  }
  return undefined;
}

/** The terms of a sum, without broadcast ones. */
function termsOf(tensor: Tensor): Tensor[] {
  const { operator, inputs, shape } = tensor;
  const isSum = operator.name === 'add' && inputs.every((input) => sameShape(input.shape, shape));
  return isSum ? inputs.flatMap(termsOf) : [tensor];
}

function zerosLike(x: Tensor, f: Functions): Tensor {
  return f.stretchTo(f.constant([], [0]), x);
}

function placeholderLike({ dtype, shape }: Tensor): Tensor {
  return apply(placeholder, [], { dtype, shape });
}
