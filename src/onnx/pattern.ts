// Patterns in tensor graphs: written like the formula they find, such as matmul(softmax(any('scores')), any('values')). A match gives
// each named part. A name that stands in a pattern several times must be the same tensor, or the same number, everywhere.

import {
  isA,
  type Operator,
  operators,
  type ParameterAttributes,
  type Tensor,
  type TensorOf,
  untransposed,
} from '../tensor/index.ts';

type Parts = Readonly<Record<string, unknown>>;

/** Looks at a tensor, given the parts found before; the answer has the new ones too. P: the parts that it finds, by name. */
export interface Pattern<P> {
  (tensor: Tensor, found: Parts): Parts | undefined;
  /** For the compiler only. */
  readonly parts?: P;
}

type PartsOf<T extends readonly Pattern<unknown>[]> = T extends readonly [
  Pattern<infer P>,
  ...infer Rest extends readonly Pattern<unknown>[],
]
  ? P & PartsOf<Rest>
  : unknown;

/** The parts of a tensor that is what the pattern says; undefined if it is not. */
export function match<P>(pattern: Pattern<P>, tensor: Tensor | undefined): P | undefined {
  // The one place where what was found gets its type: each constructor of patterns says which parts it adds.
  return tensor && (pattern(tensor, {}) as P | undefined);
}

/** Any tensor, under a name. */
export function any<N extends string>(name: N): Pattern<Record<N, Tensor>> {
  return (tensor, found) => bind(found, name, tensor);
}

/** What fits a pattern, under a name of its own. */
export function as<N extends string, P>(name: N, pattern: Pattern<P>): Pattern<P & Record<N, Tensor>> {
  return (tensor, found) => {
    const known = bind(found, name, tensor);
    return known && pattern(tensor, known);
  };
}

/** A learned array, under a name. */
export function parameter<N extends string>(name: N): Pattern<Record<N, TensorOf<ParameterAttributes>>> {
  return (tensor, found) => (isA(tensor, operators.parameter) ? bind(found, name, tensor) : undefined);
}

export const add = operation(operators.add);
export const multiply = operation(operators.multiply);
export const matmul = operation(operators.matmul);
export const softmax = operation(operators.softmax);
export const relu = operation(operators.relu);
export const sin = operation(operators.sine);
export const cos = operation(operators.cosine);

/** x times a number, which gets a name. */
export function scale<P, N extends string>(x: Pattern<P>, factor: N): Pattern<P & Record<N, number>> {
  return (tensor, found) => {
    if (!isA(tensor, operators.scale)) return undefined;
    const known = bind(found, factor, tensor.attributes.factor);
    return known && x(tensor.inputs[0], known);
  };
}

/** The axes of x in this order. */
export function permute<P>(x: Pattern<P>, order: readonly number[]): Pattern<P> {
  return (tensor, found) => {
    const isSo = isA(tensor, operators.transpose) && order.every((axis, i) => axis === tensor.attributes.order[i]);
    return isSo ? x(tensor.inputs[0], found) : undefined;
  };
}

/** The last two axes of x exchanged. */
export function transpose<P>(x: Pattern<P>): Pattern<P> {
  return view(untransposed, x);
}

/** Tensors behind each other along an axis. */
export function concatenate<const T extends readonly Pattern<unknown>[]>(parts: T, axis: number): Pattern<PartsOf<T>> {
  const joined = operation(operators.concatenate)(...parts);
  return (tensor, found) => {
    return isA(tensor, operators.concatenate) && tensor.attributes.axis === axis ? joined(tensor, found) : undefined;
  };
}

/** The parts of one of two patterns: sure are those that both have. */
type PartsOfEither<P, Q> = Pick<P & Q, keyof P & keyof Q> & Partial<P & Q>;

/** The first pattern if it fits, else the second. */
export function either<P, Q>(first: Pattern<P>, second: Pattern<Q>): Pattern<PartsOfEither<P, Q>> {
  return (tensor, found) => first(tensor, found) ?? second(tensor, found);
}

/** What a tensor is seen as, if it can be, fits the pattern. */
export function view<P>(as: (tensor: Tensor) => Tensor | undefined, pattern: Pattern<P>): Pattern<P> {
  return (tensor, found) => {
    const seen = as(tensor);
    return seen && pattern(seen, found);
  };
}

/** An operator, applied to just as many inputs. */
function operation<A>(operator: Operator<A>) {
  return <const T extends readonly Pattern<unknown>[]>(...inputs: T): Pattern<PartsOf<T>> =>
    (tensor, found) => {
      if (!isA(tensor, operator) || tensor.inputs.length !== inputs.length) return undefined;
      return inputs.reduce<Parts | undefined>((known, input, i) => known && input(tensor.inputs[i], known), found);
    };
}

function bind(found: Parts, name: string, part: unknown): Parts | undefined {
  if (name in found) return found[name] === part ? found : undefined;
  return { ...found, [name]: part };
}
