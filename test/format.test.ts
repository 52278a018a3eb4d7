// Model folders as docs/format.md describes them: heed gives each pair the log-probabilities that a reader has which
// follows that page alone (tools/golden/read_model.py). The folders of test/golden/format were written without heed, too
// (tools/golden/format_models.py).

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { buildModel } from '../src/architectures/index.ts';
import type { StoredModel } from '../src/model/index.ts';
import { loadModel } from '../src/model/node.ts';
import type { Values } from '../src/runtime/index.ts';
import { compile } from '../src/runtime/node/index.ts';
import { crossEntropy, input, outputAt } from '../src/tensor/index.ts';
import { Translator } from '../src/translate/index.ts';

interface Golden {
  readonly reader: { readonly script: string; readonly python: string; readonly numpy: string };
  readonly folder: string;
  readonly pairs: readonly {
    readonly source: string;
    readonly target: string;
    readonly to?: string;
    readonly sourceIds: readonly number[];
    readonly targetIds: readonly number[];
    readonly logProbabilities: readonly number[];
  }[];
}

const root = fileURLToPath(new URL('..', import.meta.url));
const goldens = readdirSync(`${root}test/golden`)
  .filter((name) => /^format-.+\.json$/.test(name))
  .map((name): [string, Golden] => [name, JSON.parse(readFileSync(`${root}test/golden/${name}`, 'utf8'))]);

/** The largest difference between the log-probabilities of a model and those of the reader. */
async function largestDifference(model: StoredModel, { pairs }: Golden): Promise<number> {
  const isLanguageModel = buildModel(model.config).encode === undefined;
  const scores = await (isLanguageModel ? scoresOfTexts : scoresOfPairs)(model, pairs);
  expect(scores.map((row) => row.length)).toEqual(pairs.map(({ logProbabilities }) => logProbabilities.length));
  const differences = pairs.flatMap(({ logProbabilities }, row) =>
    logProbabilities.map((expected, i) => Math.abs(scores[row][i] - expected)),
  );
  return Math.max(...differences);
}

async function scoresOfPairs(model: StoredModel, pairs: Golden['pairs']): Promise<ArrayLike<number>[]> {
  const translator = new Translator(model, { compile, threads: 1 });
  const scores: ArrayLike<number>[] = [];
  for (const { source, target, to } of pairs) {
    const [{ logProbabilities }] = await translator.score([{ source, target }], { to });
    scores.push(logProbabilities);
  }
  await translator.release();
  return scores;
}

/** Log-probabilities of the targets alone, by a language model. */
async function scoresOfTexts(
  { config, parameters, targetTokenizer }: StoredModel,
  pairs: Golden['pairs'],
): Promise<ArrayLike<number>[]> {
  const logits = buildModel(config, { dropout: false }).logits(input('target', 'int32', ['batch', 'target']), {});
  const loss = crossEntropy(logits, input('expected', 'int32', ['batch', 'target']), 0);
  const program = await compile({ negativeLogLikelihood: outputAt(loss, 1) });
  const scores: ArrayLike<number>[] = [];
  for (const { targetIds } of pairs) {
    const ids = (values: readonly number[]) => ({ shape: [1, values.length], data: Int32Array.from(values) });
    const feeds = new Map<string, Values>([
      ...parameters.parameters.map((parameter) => [parameter.name, parameter] as const),
      ['target', ids([targetTokenizer.startId, ...targetIds])],
      ['expected', ids([...targetIds, targetTokenizer.endId])],
    ]);
    const { negativeLogLikelihood } = await program.run(feeds);
    scores.push(Array.from(negativeLogLikelihood.data, (value) => -value));
  }
  await program.release();
  return scores;
}

describe('the reader of docs/format.md', () => {
  it('covers the bundled model and every folder of test/golden/format', () => {
    const folders = readdirSync(`${root}test/golden/format`).map((name) => `test/golden/format/${name}`);
    expect(goldens.map(([, { folder }]) => folder).toSorted()).toEqual(['models/en-zh', ...folders].toSorted());
  });
});

describe.each(goldens)('%s', (_, golden) => {
  it('has the ids of heed’s tokenizers', async () => {
    const { sourceTokenizer, targetTokenizer } = await loadModel(`${root}${golden.folder}`);
    for (const { source, target, to, sourceIds, targetIds } of golden.pairs) {
      const tag = to === undefined ? [] : [sourceTokenizer.controlId(`>>${to}<<`)];
      expect([...tag, ...sourceTokenizer.encode(source)]).toEqual(sourceIds);
      expect([...targetTokenizer.encode(target)]).toEqual(targetIds);
    }
  });

  it('has heed’s log-probabilities within 1e-4 if heed computes with floats', async () => {
    const model = await loadModel(`${root}${golden.folder}`);
    expect(await largestDifference({ ...model, quantized: undefined }, golden)).toBeLessThan(1e-4);
  });
});

describe('int8 arithmetic', () => {
  it('rounds activations too, so that log-probabilities of the bundled model differ by up to 0.1', async () => {
    const golden = new Map(goldens).get('format-en-zh.json')!;
    const model = await loadModel(`${root}${golden.folder}`);
    expect(model.quantized).toBeDefined();
    const difference = await largestDifference(model, golden);
    expect(difference).toBeLessThan(0.1); // measured 0.0714
    expect(difference).toBeGreaterThan(1e-4); // else the engine computed with floats
  });
});
