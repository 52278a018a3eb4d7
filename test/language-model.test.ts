// A language model in use: searches, batches, streams, texts beyond the context, scores and perplexity.

import { describe, expect, it } from 'vitest';
import { transformerConfig } from '../src/architectures/index.ts';
import { batchLogits, buildModel } from '../src/architectures/registry.ts';
import { type GenerateOptions, LanguageModel, TokenStream } from '../src/language-model/index.ts';
import { quantizeModel } from '../src/model/index.ts';
import { ParameterSet, parametersOf } from '../src/runtime/index.ts';
import { compile } from '../src/runtime/node/index.ts';
import { ValidationWindows } from '../src/tasks/language-model/window-batches.ts';
import { modelGraph } from '../src/tasks/model-graph.ts';
import { Validation } from '../src/train/validation.ts';
import { toyLanguageModel, toyText } from './language-model-toy.ts';

const setup = { compile, threads: 1 };
const stored = toyLanguageModel();
const model = new LanguageModel(stored, setup);
const { targetTokenizer: tokenizer } = stored;
const prompts = ['the cat', '', 'the dog sat on\nthe', 'm'];

const searches: Record<string, GenerateOptions> = {
  greedy: { maxTokens: 24 },
  'beam search': { maxTokens: 16, beam: 3, nBest: 2 },
  sampling: { maxTokens: 24, sampling: { seed: 5, temperature: 0.9 }, nBest: 2 },
  'sampling from few': { maxTokens: 24, sampling: { seed: 5, topK: 8, topP: 0.9 } },
};

describe.each(Object.entries(searches))('%s', (_, options) => {
  it('says the same alone and in a batch, bit for bit', async () => {
    const together = await model.generateAll(prompts, options);
    for (const [i, prompt] of prompts.entries()) {
      if (i > 0 && options.sampling !== undefined) continue; // its random stream is that of the first prompt
      expect((await model.generateAll([prompt], options))[0], prompt).toEqual(together[i]);
    }
    expect(await model.generateAll(prompts, { ...options, batchTokens: 1 })).toEqual(together);
    expect(together.flat().some(({ tokens }) => tokens.length > 8)).toBe(true);
  });

  it('has the log-probabilities of a pass over the whole text', async () => {
    for (const [i, texts] of (await model.generateAll(prompts, options)).entries()) {
      const prompt = [...tokenizer.encode(prompts[i])];
      for (const { tokens, logProbabilities, total } of texts) {
        const [scores] = await scoresOf([...prompt, ...tokens]);
        logProbabilities.forEach((value, at) => {
          expect(value).toBeCloseTo(scores[prompt.length + at], 5);
        });
        expect(total).toBeCloseTo(
          logProbabilities.reduce((sum, value) => sum + value, 0),
          9,
        );
      }
    }
  });
});

/** By the whole pass: the log-probability of each id, END last. */
async function scoresOf(ids: readonly number[]): Promise<number[][]> {
  const { Scorer } = await import('../src/generate/index.ts');
  return new Scorer(stored, setup).run([{ source: [], target: ids }]);
}

describe('greedy search', () => {
  it('takes the best token of the whole pass each time', async () => {
    const [[{ tokens }]] = await model.generateAll(['the'], { maxTokens: 12 });
    const graph = batchLogits(buildModel(stored.config));
    const program = await compile({ logits: graph }, { weights: stored.parameters.weights(), threads: 1 });
    const written = [tokenizer.startId, ...tokenizer.encode('the')];
    for (const token of tokens) {
      const target = { shape: [1, written.length], data: Int32Array.from(written) };
      const { logits } = await program.run(new Map([['target', target]]));
      const row = [...logits.data.subarray((written.length - 1) * tokenizer.size, written.length * tokenizer.size)];
      row[tokenizer.startId] = row[tokenizer.padId] = Number.NEGATIVE_INFINITY;
      expect(token).toBe(row.indexOf(Math.max(...row)));
      written.push(token);
    }
    expect(tokens.length).toBeGreaterThan(3);
  });
});

describe('a text', () => {
  it('continues the prompt as the tokenizer spells it', async () => {
    const [[{ text, tokens, pieces }]] = await model.generateAll(['the cat'], { maxTokens: 9 });
    expect(`the cat${text}`).toBe(tokenizer.decode([...tokenizer.encode('the cat'), ...tokens]));
    expect(pieces).toEqual(tokenizer.pieces(tokens));
    expect(await model.generate('the cat', { maxTokens: 9 })).toBe(text);
    expect(await model.generate(['the cat'], { maxTokens: 9 })).toEqual([text]);
  });

  it.each([{ maxTokens: 20 }, { maxTokens: 20, sampling: { seed: 3 } }])(
    'is streamed as it is: %o',
    async (options) => {
      const stream = model.stream('the dog', options);
      let streamed = '';
      for (;;) {
        const { value, done } = await stream.next();
        if (done) {
          expect(value).toEqual((await model.generateAll(['the dog'], options))[0][0]);
          expect(streamed).toBe(value.text);
          break;
        }
        streamed += value;
      }
      expect(streamed.length).toBeGreaterThan(3);
    },
  );

  it('has samples of their own for another seed and another prompt of the batch', async () => {
    const options = { maxTokens: 20, sampling: { seed: 1 }, nBest: 3 };
    const [first, second] = await model.generateAll(['the', 'the'], options);
    const [other] = await model.generateAll(['the'], { ...options, sampling: { seed: 2 } });
    expect(new Set([...first, ...second, ...other].map(({ tokens }) => tokens.join())).size).toBe(9);
    const totals = first.map(({ total }) => total);
    expect(totals).toEqual([...totals].sort((a, b) => b - a));
  });
});

describe('a text beyond the context', () => {
  const short = toyLanguageModel({ positions: 'learned', maxPositions: 10 });
  const small = new LanguageModel(short, setup);

  it('is continued from the last half of the context', async () => {
    expect(small.context).toBe(10);
    const [[{ tokens, logProbabilities }]] = await small.generateAll(['the'], { maxTokens: 30 });
    expect(tokens).toHaveLength(30);
    expect(logProbabilities).toHaveLength(30);
    const whole = [...tokenizer.encode('the'), ...tokens];
    const half = tokenizer.decode(whole.slice(5, 10));
    const again = [...tokenizer.encode(half)];
    // Spelled the same, these five tokens are a prompt like any other.
    if (again.join() === whole.slice(5, 10).join()) {
      const [[{ tokens: next }]] = await small.generateAll([half], { maxTokens: 5 });
      expect(next).toEqual(whole.slice(10, 15));
    }
    expect(await small.generateAll(['', 'the', 'm'], { maxTokens: 30 }).then((all) => all[1][0].tokens)).toEqual(
      tokens,
    );
  });

  it('is sampled and streamed on; each sample has numbers of its own', async () => {
    const options = { maxTokens: 40, sampling: { seed: 4 }, nBest: 2 };
    const [texts] = await small.generateAll(['the'], options);
    expect(texts.map(({ tokens }) => tokens.length)).toEqual([40, 40]);
    expect(texts[0].tokens.slice(20)).not.toEqual(texts[1].tokens.slice(20));
    expect((await small.generateAll(['the'], options))[0]).toEqual(texts);
    let streamed = '';
    for await (const part of small.stream('the', { maxTokens: 40 })) streamed += part;
    expect(streamed).toBe(await small.generate('the', { maxTokens: 40 }));
  });

  it('takes a prompt that is longer than the context', async () => {
    const [[{ tokens }]] = await small.generateAll([toyText], { maxTokens: 7 });
    expect(tokens).toHaveLength(7);
  });

  it('is not searched by a beam, which stays within the context', async () => {
    await expect(small.generate('the', { beam: 2, maxTokens: 30 })).rejects.toThrow('context of 10 tokens');
    await expect(small.generate(toyText, { beam: 2 })).rejects.toThrow('context of 10 tokens');
    const [[{ tokens }]] = await small.generateAll(['the'], { beam: 2 });
    expect(tokens.length + tokenizer.encode('the').length).toBeLessThanOrEqual(10);
  });

  it('has no score but a perplexity', async () => {
    await expect(small.score([toyText])).rejects.toThrow('10 learned positions');
    expect((await small.perplexity(toyText)).tokens).toBe(tokenizer.encode(toyText).length + 1);
    await expect(small.perplexity(toyText, { context: 11 })).rejects.toThrow('at most 10 learned positions');
  });
});

describe('scores', () => {
  it('are those of each text, whatever is scored beside it', async () => {
    const texts = ['the cat', 'a', 'the dog sat on the log.\n'];
    const scores = await model.score(texts);
    expect(await model.score(texts, { batchTokens: 1 })).toEqual(scores);
    for (const [i, { pieces, logProbabilities, total }] of scores.entries()) {
      expect(logProbabilities).toHaveLength(pieces.length + 1);
      const { nats, tokens } = await model.perplexity(texts[i], { documents: 'text' });
      expect(tokens).toBe(logProbabilities.length);
      expect(-total).toBeCloseTo(nats, 4);
    }
  });
});

describe('perplexity', () => {
  it.each(['text', 'lines'] as const)('is what validation measures, documents: %s', async (documents) => {
    const stream = new TokenStream(tokenizer);
    const texts = documents === 'text' ? [toyText] : toyText.trim().split('\n');
    for (const text of texts) stream.append({ text, isFirst: true, isLast: true });
    const graph = modelGraph(buildModel(stored.config), 0);
    const batches = new ValidationWindows({ stream, context: 16, maxTokens: 64 });
    const validation = await Validation.compile(compile, { graph, batches }, { threads: 1 });
    const { loss, perplexity } = await validation.run(stored.parameters);
    const trained = new LanguageModel({ ...stored, training: { context: 16, documents } }, setup);
    const report = await trained.perplexity(toyText);
    expect(report.perToken).toBeCloseTo(loss, 5);
    expect(report.perplexity / perplexity).toBeCloseTo(1, 5);
    expect(report.characters).toBe(documents === 'text' ? toyText.length : toyText.length - texts.length);
    expect(report.perCharacter).toBeCloseTo(report.nats / report.characters, 9);
    expect((await model.perplexity(toyText, { context: 16, documents })).nats).toBeCloseTo(report.nats, 4);
  });
});

describe('a model with int8 weights', () => {
  it('predicts and writes nearly the same', async () => {
    const small = new LanguageModel(quantizeModel(stored), setup);
    const [exact, rounded] = [await model.perplexity(toyText), await small.perplexity(toyText)];
    expect(Math.abs(exact.perToken - rounded.perToken)).toBeLessThan(0.05);
    const [[{ tokens, logProbabilities }]] = await small.generateAll(['the'], { maxTokens: 12 });
    const [scores] = await scoresOf([...tokenizer.encode('the'), ...tokens]);
    logProbabilities.forEach((value, i) => {
      expect(Math.abs(value - scores[tokenizer.encode('the').length + i])).toBeLessThan(0.3);
    });
  });
});

describe('what is refused', () => {
  it('a model with an encoder, by its name', () => {
    const config = transformerConfig(
      { dModel: 8, heads: 2, dInner: 8, encoderLayers: 1, decoderLayers: 1 },
      { sourceVocabularySize: tokenizer.size },
    );
    const parameters = ParameterSet.initialize(parametersOf([batchLogits(buildModel(config))]), 1);
    expect(() => new LanguageModel({ ...stored, config, parameters }, setup, 'en-de')).toThrow(
      /^en-de: must be a model without an encoder.*encoder-decoder/,
    );
  });

  it('options that are unknown or out of range', async () => {
    await expect(model.generate('a', { maxTokens: 0 })).rejects.toThrow('maxTokens must be a whole number');
    await expect(model.generate('a', { batchTokens: 0.5 })).rejects.toThrow('batchTokens must be a whole number');
    await expect(model.generate('a', { beam: 2, sampling: {} })).rejects.toThrow('sampling needs beam 1');
    await expect(model.stream('a', { beam: 2 }).next()).rejects.toThrow('never revises, got beam 2');
    await expect(model.stream('a', { sampling: {}, nBest: 2 }).next()).rejects.toThrow('never revises, got nBest 2');
    await expect(model.perplexity(' \n')).rejects.toThrow('at least one word');
  });

  it('stops a search with its signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(model.generate('a', { signal })).rejects.toThrow('enough');
  });
});
