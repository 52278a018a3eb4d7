import { describe, expect, it } from 'vitest';
import type { OnnxInitializer, OnnxNode, OnnxValueInfo } from '../graph.ts';
import type { Rounds } from '../loop/iteration.ts';
import { withWholeAttention } from './self-attention.ts';

const node = (type: string, inputs: string[], ...outputs: string[]): OnnxNode => ({
  ...{ type, inputs, outputs },
  attributes: { note: type },
});
const projection = (name: string): OnnxNode[] => [
  node('MatMul', ['x', `${name}.weight`], `${name}.product`),
  node('Add', [`${name}.product`, `${name}.bias`], name),
];
const ATTENTION = 'com.microsoft:MultiHeadAttention';
const NAMES = ['query', 'key', 'value'];

/** Of two model dimensions and one head of two. */
function rounds(attention: OnnxNode, extra: readonly OnnxNode[] = []): Rounds {
  const value = (name: string): OnnxValueInfo => ({ name, dtype: 'float32', shape: [1, 1, 'slots', 2] });
  const weights = NAMES.flatMap((name, i): OnnxInitializer[] => [
    { name: `${name}.weight`, shape: [2, 2], data: Float32Array.of(i, i + 0.1, i + 0.2, i + 0.3) },
    { name: `${name}.bias`, shape: [2], data: Float32Array.of(10 * i, 10 * i + 1) },
  ]);
  return {
    before: [],
    round: [
      ...NAMES.flatMap(projection),
      attention,
      node('Identity', ['heads.1'], 'next.keys'),
      node('Identity', ['heads.2'], 'next.values'),
      ...extra,
    ],
    after: [node('Concat', ['last.keys'], 'all')],
    initializers: weights,
    carried: ['tokens', 'keys', 'values'].map((name) => ({
      ...{ value: value(name), next: value(`next.${name}`), first: `first.${name}`, last: `last.${name}` },
    })),
  };
}

const heads = ['heads', 'heads.1', 'heads.2'];
const plain = () => rounds(node(ATTENTION, [...NAMES, '', '', '', 'keys', 'values'], ...heads));

describe('withWholeAttention', () => {
  const { before, round, after, carried, initializers } = withWholeAttention(plain());

  it('makes one operator of projections and heads', () => {
    expect(round).toEqual([
      {
        type: 'com.microsoft:Attention',
        inputs: ['x', 'keys+values.weight', 'keys+values.bias', '', 'keys+values'],
        outputs: ['heads', 'next.keys+values'],
        attributes: { note: ATTENTION },
      },
    ]);
    const [weight, bias] = initializers;
    expect(weight.shape).toEqual([2, 6]);
    const rows = [0, 0.1, 1, 1.1, 2, 2.1, 0.2, 0.3, 1.2, 1.3, 2.2, 2.3];
    expect(weight.data).toEqual(Float32Array.from(rows));
    expect(bias).toMatchObject({ shape: [6], data: Float32Array.of(0, 1, 10, 11, 20, 21) });
  });

  it('carries keys and values as one', () => {
    expect(carried.map(({ value }) => value.name)).toEqual(['tokens', 'keys+values']);
    expect(carried[1].value.shape).toEqual([2, 1, 1, 'slots', 2]);
    expect(before.map(({ type, inputs }) => [type, inputs[0]])).toEqual([
      ['Concat', 'first.keys'],
      ['Unsqueeze', 'first.keys+values.joined'],
    ]);
    expect(before.at(-1)?.outputs).toEqual([carried[1].first]);
  });

  it('takes them apart after the last round', () => {
    const outputs = after.map(({ type, outputs: [name] }) => [type, name]);
    expect(outputs).toEqual([
      ['Gather', 'last.keys'],
      ['Gather', 'last.values'],
      ['Concat', 'all'],
    ]);
  });

  it.each([
    ['scores have a penalty', rounds(node(ATTENTION, [...NAMES, '', '', 'penalty', 'keys', 'values'], ...heads))],
    ['nothing is carried', rounds(node(ATTENTION, [...NAMES, '', '', '', 'fed', 'values'], ...heads))],
    ['somebody else reads the keys', rounds(plain().round[6], [node('Identity', ['key'], 'own')])],
    [
      'what is projected differs',
      rounds(node(ATTENTION, ['query', 'key', 'x', '', '', '', 'keys', 'values'], ...heads)),
    ],
  ])('leaves an attention as it is where %s', (_, given) => {
    expect(withWholeAttention(given)).toBe(given);
  });
});
