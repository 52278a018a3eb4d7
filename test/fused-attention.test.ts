import { describe, expect, it } from 'vitest';
import { Transformer, transformerConfig } from '../src/architectures/index.ts';
import { Random } from '../src/base/random.ts';
import { lower } from '../src/onnx/index.ts';
import type { CompileOptions } from '../src/runtime/index.ts';
import { compile } from '../src/runtime/node/index.ts';
import { concatenate, constantIds, input, namedTensors, type Tensor } from '../src/tensor/index.ts';

const config = transformerConfig(
  { dModel: 24, heads: 3, dInner: 16, encoderLayers: 1, decoderLayers: 2, dropout: 0 },
  { sourceVocabularySize: 11 },
);

/** A step of decoding for one sentence: its logits, and the keys and values that the next step looks at. */
function step(
  width: number,
  { hasMask = true, hasSourceMask = true, sentences = 1 as number | string } = {},
): Record<string, Tensor> {
  const model = new Transformer(config);
  const states = Object.fromEntries(
    model.states
      .filter(({ name }) => hasSourceMask || name !== 'source.mask')
      .map(({ name, shape }) => {
        return [name, input(name, 'float32', [sentences, ...shape.map((dim) => (dim === 'length' ? 'past' : dim))])];
      }),
  );
  const { logits, states: after } = model.step(input('tokens', 'int32', [sentences, width]), {
    at: constantIds([1], [3]),
    keysAt: constantIds([1], [3]),
    mask: hasMask ? input('mask', 'float32', [sentences, 1, width, `past+${width}`]) : undefined,
    states,
  });
  const longer = model.states
    .filter(({ kind }) => kind === 'append')
    .map(({ name }) => [`longer ${name}`, concatenate([states[name], after[name]], 2)] as const);
  return { logits, ...Object.fromEntries(longer) };
}

function typesOf(outputs: Record<string, Tensor>, fewRows: boolean): string[] {
  return lower(outputs, { fewRows }).graph.nodes.map(({ type }) => type);
}

async function resultsOf(outputs: Record<string, Tensor>, fewRows: boolean, more: CompileOptions = {}) {
  const random = Random.of(3);
  const sizes: Record<string, number> = { sentences: 1, past: 5, 'past+1': 6, 'past+3': 8, source: 7 };
  const program = await compile(outputs, { threads: 1, fewRows, ...more });
  const feeds = program.inputs
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ name, dtype, shape }) => {
      const known = shape.map((dim) => (typeof dim === 'number' ? dim : sizes[dim]));
      const length = known.reduce((product, dim) => product * dim, 1);
      const data =
        dtype === 'int32'
          ? Int32Array.from({ length }, () => random.integer(11))
          : Float32Array.from({ length }, () =>
              name.toLowerCase().endsWith('mask') ? random.integer(2) : random.normal(),
            );
      return [name, { shape: known, data }] as const;
    });
  const results = await program.run(new Map(feeds));
  await program.release();
  return results;
}

describe('attention of a step as one operator', () => {
  it.each([
    [1, true],
    [1, false],
    [3, true],
    [3, false],
  ])('gives the same bits for %i hypotheses as in a batch, with a mask: %s', async (width, hasMask) => {
    const inBatch = await resultsOf(step(width, { hasMask, sentences: 'sentences' }), false);
    expect(await resultsOf(step(width, { hasMask }), true)).toEqual(inBatch);
  });

  it('is lowered to standard operators for an engine without fused ones', async () => {
    const supports = () => false;
    const { nodes } = lower(step(3), { fewRows: true, supports }).graph;
    expect(nodes.filter(({ type }) => type.includes(':'))).toEqual([]);
    const [fused, plain] = [await resultsOf(step(3), true), await resultsOf(step(3), true, { supports })];
    for (const [name, { shape, data }] of Object.entries(fused)) {
      expect(plain[name].shape).toEqual(shape);
      data.forEach((value, i) => {
        expect(plain[name].data[i]).toBeCloseTo(value, 5);
      });
    }
  });

  it('replaces all operators of attention and of the concatenation of keys and values', () => {
    const types = typesOf(step(3), true);
    expect(types.filter((type) => type === 'com.microsoft:MultiHeadAttention')).toHaveLength(4);
    expect(types.filter((type) => ['Softmax', 'Slice', 'com.microsoft:FusedMatMul'].includes(type))).toEqual([]);
  });

  it('is not used for several sentences, sources without a mask, or if weights are results', () => {
    expect(typesOf(step(3, { sentences: 'sentences' }), true)).toContain('Softmax');
    expect(typesOf(step(3, { hasSourceMask: false }), true)).toContain('Softmax'); // it would add up in another order
    const outputs = step(3);
    const weights = namedTensors(Object.values(outputs)).get('decoder.layers.1.crossAttention.weights');
    if (weights === undefined) throw new Error('a layer has attention weights');
    expect(typesOf({ ...outputs, weights }, true)).toContain('Softmax');
  });
});
