import { expect, it } from 'vitest';
import { batchLogits, Transformer, transformerConfig } from '../src/architectures/index.ts';
import { decodeLoop } from '../src/generate/index.ts';
import { lowerLoop } from '../src/onnx/index.ts';
import { ParameterSet, parametersOf } from '../src/runtime/index.ts';

const size = { dModel: 16, heads: 2, dInner: 24, encoderLayers: 1, decoderLayers: 2, dropout: 0 };

/** Operators of an iteration of greedy search. */
function typesOf(options: Parameters<typeof transformerConfig>[0]): string[] {
  const config = transformerConfig({ ...size, ...options }, { sourceVocabularySize: 19 });
  const parameters = ParameterSet.initialize(parametersOf([batchLogits(new Transformer(config))]), 1);
  const { outputs, loop } = decodeLoop(new Transformer(config), {
    width: 1,
    top: 2,
    startId: 1,
    endId: 2,
    from: 'start',
  });
  const { graph } = lowerLoop(outputs, loop, { weights: parameters.weights(), fewRows: true });
  const body = graph.nodes.find(({ type }) => type === 'Loop')?.attributes.body;
  if (typeof body !== 'object' || !('nodes' in body)) throw new Error('a loop has a body');
  return body.nodes.map(({ type }) => type);
}

const count = (types: readonly string[], type: string) => types.filter((each) => each === type).length;

it('has one operator for the self-attention of a layer, and one for the heads of its cross-attention', () => {
  const types = typesOf({});
  expect(count(types, 'com.microsoft:Attention')).toBe(2);
  expect(count(types, 'com.microsoft:MultiHeadAttention')).toBe(2);
  expect(count(types, 'Softmax')).toBe(0);
});

it('turns queries and keys between projections and heads where positions are rotary', () => {
  const types = typesOf({ positions: 'rotary' });
  expect(count(types, 'com.microsoft:Attention')).toBe(0);
  expect(count(types, 'com.microsoft:MultiHeadAttention')).toBe(4);
});
