// An engine without onnxruntime's contrib operators and without loops gives the same results.

import { describe, expect, it } from 'vitest';
import { type DecodeOptionsInput, search } from '../src/decode/index.ts';
import { GenerationEngine } from '../src/generate/index.ts';
import { quantizeModel, type StoredModel } from '../src/model/index.ts';
import { type Compile, compileWith } from '../src/runtime/index.ts';
import { compile } from '../src/runtime/node/index.ts';
import { nativeSession } from '../src/runtime/node/session.ts';
import { smallModel } from './small-model.ts';

/** The operators that the plain engine was asked for. */
const asked = new Set<string>();

/** Runs standard operators only: any other would be refused here. */
const compilePlain = compileWith({
  supports(operator) {
    asked.add(operator);
    return false;
  },
  async load(model, options) {
    const text = Buffer.from(model).toString('latin1');
    if (text.includes('com.microsoft') || text.includes('Loop'))
      throw new Error('the plain engine has standard operators');
    return nativeSession(model, options);
  },
});

const model = smallModel({ dModel: 64 });
const sources = [5, 9, 30].map((length) => Int32Array.from({ length }, (_, i) => (i === length - 1 ? 2 : 4 + (i % 9))));
const searches: DecodeOptionsInput[] = [{ beam: 1 }, { beam: 3, lengthPenalty: 'none' }];

/** What searches over the sentences give, alone and together. */
async function answers(compileHere: Compile, { config, parameters, quantized, targetTokenizer }: StoredModel) {
  const { startId, endId } = targetTokenizer;
  const setup = { compile: compileHere, startId, endId, threads: 1 };
  const engine = new GenerationEngine({ config, parameters, quantized }, setup);
  const results: { tokens: number[]; score: number }[] = [];
  for (const batch of [sources, ...sources.map((source) => [source])]) {
    for (const options of searches) {
      const running = await engine.start(batch);
      const sentences = batch.map(({ length }) => ({ sourceLength: length }));
      const found = await search(running, sentences, { ...options, maxLength: 20, maxLengthExtra: 20 });
      results.push(...found.map(({ hypotheses: [{ tokens, score }] }) => ({ tokens: [...tokens], score })));
      running.release();
    }
  }
  await engine.release();
  return results;
}

describe('an engine with standard operators only', () => {
  it.each([
    ['floats', model],
    ['int8', quantizeModel(model)],
  ])('decodes like one with all operators, %s', async (_, given) => {
    const [fused, plain] = [await answers(compile, given), await answers(compilePlain, given)];
    expect(plain.map(({ tokens }) => tokens)).toEqual(fused.map(({ tokens }) => tokens));
    plain.forEach(({ score }, i) => {
      expect(score).toBeCloseTo(fused[i].score, 4);
    });
  });

  it('is asked whether it supports non-standard operators and loops', async () => {
    asked.clear();
    await answers(compilePlain, quantizeModel(model));
    expect([...asked].toSorted()).toEqual(['Loop', 'com.microsoft:FusedMatMul', 'com.microsoft:MatMulIntegerToFloat']);
  });
});
