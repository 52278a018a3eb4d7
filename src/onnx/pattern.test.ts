import { describe, expect, expectTypeOf, it } from 'vitest';
import * as tensor from '../tensor/index.ts';
import * as patterns from './pattern.ts';
import {
  add,
  any,
  as,
  concatenate,
  either,
  match,
  matmul,
  parameter,
  permute,
  scale,
  softmax,
  view,
} from './pattern.ts';

const [a, b] = ['a', 'b'].map((name) => tensor.input(name, 'float32', ['n', 4, 4]));
const weight = tensor.parameter('weight', [4, 4], { kind: 'constant', value: 1 });

describe('match', () => {
  it('finds the parts of a formula', () => {
    const scores = scale(matmul(any('queries'), patterns.transpose(any('keys'))), 'factor');
    const found = match(softmax(scores), tensor.softmax(tensor.scale(tensor.matmul(a, tensor.transpose(b)), 0.5)));
    expect(found).toEqual({ queries: a, keys: b, factor: 0.5 });
    expectTypeOf(found).toEqualTypeOf<
      (Record<'queries', tensor.Tensor> & Record<'keys', tensor.Tensor> & Record<'factor', number>) | undefined
    >();
  });

  it('is undefined where any part is something else', () => {
    const pattern = softmax(add(any('x'), any('y')));
    expect(match(pattern, tensor.softmax(tensor.multiply(a, b)))).toBeUndefined();
    expect(match(pattern, tensor.add(a, b))).toBeUndefined();
    expect(match(pattern, undefined)).toBeUndefined();
  });

  it('wants the same tensor, and the same number, under the same name', () => {
    const sum = add(any('x'), any('x'));
    expect(match(sum, tensor.add(a, a))).toEqual({ x: a });
    expect(match(sum, tensor.add(a, b))).toBeUndefined();
    const scaled = add(scale(any('x'), 'factor'), scale(any('y'), 'factor'));
    expect(match(scaled, tensor.add(tensor.scale(a, 2), tensor.scale(b, 2)))).toEqual({ x: a, y: b, factor: 2 });
    expect(match(scaled, tensor.add(tensor.scale(a, 2), tensor.scale(b, 3)))).toBeUndefined();
  });

  it('takes the first of two patterns that fits, and forgets what the other had found', () => {
    const pattern = either(add(scale(any('x'), 'factor'), any('x')), add(any('x'), any('y')));
    expect(match(pattern, tensor.add(tensor.scale(a, 2), a))).toEqual({ x: a, factor: 2 });
    const scaled = tensor.scale(a, 2);
    expect(match(pattern, tensor.add(scaled, b))).toEqual({ x: scaled, y: b });
    type Found = NonNullable<ReturnType<typeof match<NonNullable<(typeof pattern)['parts']>>>>;
    expectTypeOf<Found['x']>().toEqualTypeOf<tensor.Tensor>();
    expectTypeOf<Found['factor']>().toEqualTypeOf<number | undefined>();
  });
});

describe('patterns', () => {
  it('of parameters find nothing else', () => {
    const found = match(matmul(any('x'), parameter('w')), tensor.matmul(a, weight));
    expect(found?.w.attributes.name).toBe('weight');
    expect(match(matmul(any('x'), parameter('w')), tensor.matmul(a, b))).toBeUndefined();
  });

  it('of concatenations want the same axis and number of parts', () => {
    const pattern = concatenate([any('first'), any('second')], 1);
    expect(match(pattern, tensor.concatenate([a, b], 1))).toEqual({ first: a, second: b });
    expect(match(pattern, tensor.concatenate([a, b], 2))).toBeUndefined();
    expect(match(pattern, tensor.concatenate([a, b, a], 1))).toBeUndefined();
  });

  it('of permutations want the same order', () => {
    const turned = tensor.permute(a, [1, 0, 2]);
    expect(match(permute(any('x'), [1, 0, 2]), turned)).toEqual({ x: a });
    expect(match(permute(any('x'), [0, 2, 1]), turned)).toBeUndefined();
    expect(match(patterns.transpose(any('x')), turned)).toBeUndefined();
    expect(match(patterns.transpose(any('x')), tensor.permute(a, [0, 2, 1]))).toEqual({ x: a });
  });

  it('can name a tensor beside its parts, and look at it as another', () => {
    const sum = tensor.add(a, b);
    expect(match(as('sum', add(any('x'), any('y'))), sum)).toEqual({ sum, x: a, y: b });
    const first = view((x) => x.inputs[0], any('x'));
    expect(match(first, sum)).toEqual({ x: a });
    expect(match(first, a)).toBeUndefined();
  });
});
