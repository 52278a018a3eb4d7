// Decoding on whole models through the Translator: searches, scores, attention and streams are consistent.

import { describe, expect, it } from 'vitest';
import { batchLogits, buildModel } from '../src/architectures/index.ts';
import type { StoredModel } from '../src/model/index.ts';
import type { Program } from '../src/runtime/index.ts';
import { compile } from '../src/runtime/node/index.ts';
import { namedTensors } from '../src/tensor/index.ts';
import { Glossary, type TranslateOptions, type Translation, Translator } from '../src/translate/index.ts';
import { smallModel } from './small-model.ts';
import { wordyLines, wordyModel, wordyTokenizer } from './wordy-model.ts';

const model = wordyModel();
const setup = { compile, threads: 1 };
const translator = new Translator(model, setup);
const lines = wordyLines(24, 11);
const best = async (options: TranslateOptions, by = translator) =>
  (await by.translateAll(lines, options)).map(({ translations }) => translations[0]);
const withoutScores = (translations: readonly Translation[]) =>
  translations.map(({ tokens, text, reason }) => ({ tokens, text, reason }));

async function textOf(stream: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of stream) text += part;
  return text;
}

describe('searches', () => {
  it('are greedy with beam 1, also by beam search with a glossary', async () => {
    const beamSearch = { beam: 1, glossary: new Glossary([{ source: 'no such word', target: 'x' }]) };
    expect(await best(beamSearch)).toEqual(await best({ beam: 1 }));
    expect(withoutScores(await best({ sampling: { topK: 1 } }))).toEqual(withoutScores(await best({ beam: 1 })));
  });
  it.each<TranslateOptions>([
    { beam: 4, nBest: 4 },
    { sampling: { temperature: 3 }, nBest: 3 },
    { beam: 2, minLength: 30, noRepeatNgram: 1 },
    { beam: 3, nBest: 3, alternatives: true },
  ])('never emit control tokens: %j', async (options) => {
    for (const { translations } of await translator.translateAll(lines, options))
      for (const { tokens } of translations) expect(tokens.filter((id) => wordyTokenizer.isControl(id))).toEqual([]);
  });
  it('apply each line’s own maximal length in any batch', async () => {
    const results = await translator.translateAll(lines, { maxLengthExtra: 3, minLength: 200 });
    for (const { sourcePieces, translations } of results) {
      expect(translations[0].pieces).toHaveLength(sourcePieces.length + 3);
      expect(translations[0].reason).toBe('length');
    }
  });
  it('keep blank lines in place', async () => {
    const results = await translator.translateAll(['', 'the cat', ' \t'], { attention: true });
    expect(results.map(({ translations }) => translations[0].reason === 'blank')).toEqual([true, false, true]);
    expect(results.map(({ translations }) => translations[0].text).filter((_, i) => i !== 1)).toEqual(['', ' \t']);
    expect(results[0].translations[0].alignment).toEqual({ pieces: [], words: [] });
  });
  it('draw samples by line number, independent of windows', async () => {
    const options = { sampling: { seed: 4 } };
    const same = await translator.translate(['the cat', 'the cat', 'the cat'], options);
    expect(new Set(same).size).toBeGreaterThan(1);
    const [third] = await translator.translate(['the cat'], { ...options, firstLine: 2 });
    expect(third).toBe(same[2]);
  });
  it('stop within one step once the signal aborts', async () => {
    const controller = new AbortController();
    let steps = 0;
    const counting = new Translator(model, {
      threads: 1,
      compile: async (...given) => {
        const program = await compile(...given);
        const run = program.run.bind(program);
        program.run = (...feeds) => {
          steps++;
          if (steps === 5) controller.abort(new Error('enough'));
          return run(...feeds);
        };
        return program;
      },
    });
    await expect(counting.translate(lines, { signal: controller.signal, minLength: 50 })).rejects.toThrow('enough');
    expect(steps).toBe(5);
  });
});

describe('text options', () => {
  it('begin every output with the prefix', async () => {
    const results = await best({ prefix: 'the dog ', nBest: 1 });
    for (const { text } of results) expect(text.startsWith('the dog ')).toBe(true);
  });
  it('exclude banned words and phrases, at the start of words and inside', async () => {
    const plain = await best({ beam: 2 });
    const words = [...new Set(plain.flatMap(({ pieces }) => pieces))].map((piece) => piece.replace('▁', ''));
    const banned = words.filter((word) => /^\p{L}+$/u.test(word)).slice(0, 12);
    expect(banned.length).toBeGreaterThan(5);
    for (const { pieces } of await best({ beam: 2, ban: banned }))
      for (const piece of pieces) expect(banned).not.toContain(piece.replace('▁', ''));
    const spelled = (text: string) => wordyTokenizer.pieces(wordyTokenizer.encode(text));
    expect(spelled('Strat').length).toBeGreaterThan(1);
    const forced = await best({ prefix: 'Stra', ban: ['Strat'] });
    for (const { text } of forced) expect(text.startsWith('Strat')).toBe(false);
  });
  it('force the glossary’s translation if a line contains the term', async () => {
    const glossary = new Glossary([
      { source: 'cat', target: 'Straße' },
      { source: 'dog', target: 'the man' },
    ]);
    const results = await translator.translateAll(['a cat', 'the dog and a cat', 'cats'], { glossary });
    const texts = results.map(({ translations }) => ` ${translations[0].text}`);
    expect(texts[0]).toContain(' Straße');
    expect(texts[1]).toContain(' Straße');
    expect(texts[1]).toContain(' the man');
    expect(texts[2]).not.toContain('Straße');
    for (const { translations } of results) expect(translations[0].missingTerms).toEqual([]);
  });
  it('report the terms for which there was no room', async () => {
    const glossary = new Glossary([{ source: 'cat', target: 'the man' }]);
    const [{ translations }] = await translator.translateAll(['cat'], { glossary, maxLength: 1 });
    expect(translations[0].missingTerms).toEqual(['the man']);
  });
});

describe('attention and alignment', () => {
  it.each([undefined, 0, 2])('are those of the teacher-forced pass (layer %s)', async (attentionLayer) => {
    const recording = new Translator(model, { ...setup, attentionLayer });
    const results = await recording.translateAll(lines, { beam: 3, attention: true });
    const forcedPass = await attentionProgram(model, attentionLayer ?? 1);
    for (const { source, sourcePieces, translations } of results) {
      const [{ tokens, pieces, attention = [], alignment }] = translations;
      const forced = await forcedAttention(forcedPass, source, tokens);
      expect(attention.length).toBe(pieces.length);
      for (const [i, row] of attention.entries())
        for (const [j, weight] of row.entries()) expect(weight).toBeCloseTo(forced[i][j], 4);
      const expected = forced.map((row) => {
        const real = row.slice(0, sourcePieces.length - 1);
        return real.indexOf(Math.max(...real));
      });
      const isClear = (i: number) => isDecided(forced[i].slice(0, sourcePieces.length - 1));
      for (const [i, piece] of (alignment?.pieces ?? []).entries()) if (isClear(i)) expect(piece).toBe(expected[i]);
      expect(alignment?.words.length).toBe(translations[0].text.split(' ').filter((word) => word !== '').length);
    }
  });
  it('are absent unless requested; the coverage penalty records them internally', async () => {
    const [{ translations }] = await translator.translateAll(['the cat'], { coveragePenalty: 0.2 });
    expect([translations[0].attention, translations[0].alignment]).toEqual([undefined, undefined]);
  });
  it('refuse a layer that does not exist', () => {
    expect(() => new Translator(model, { ...setup, attentionLayer: 3 })).toThrow(
      'translate: attentionLayer must be a decoder layer from 0 to 2, got 3.',
    );
  });
});

describe('scores', () => {
  it('are those of the search, for whole outputs and their parts', async () => {
    const lengthPenalty = 'gnmt:0.6';
    const results = await translator.translateAll(lines, { beam: 4, nBest: 4, lengthPenalty });
    const pairs = results.flatMap(({ source, translations }) =>
      translations.filter(({ reason }) => reason === 'end').map((translation) => ({ source, translation })),
    );
    expect(pairs.length).toBeGreaterThan(20);
    const scores = await translator.score(
      pairs.map(({ source, translation }) => ({ source, target: translation.tokens })),
      { lengthPenalty },
    );
    for (const [i, { translation }] of pairs.entries()) {
      // Of float32's seven digits: absolute for scores up to 1, relative beyond.
      const tolerance = 1e-5 * Math.max(1, Math.abs(translation.score));
      expect(Math.abs(scores[i].score - translation.score)).toBeLessThan(tolerance);
      expect(scores[i].pieces).toEqual(translation.pieces);
      for (const [j, value] of translation.logProbabilities.entries())
        expect(scores[i].logProbabilities[j]).toBeCloseTo(value, 3);
    }
  });
  it('do not depend on the rest of the batch', async () => {
    const pairs = lines.map((source, i) => ({ source, target: lines[(i + 1) % lines.length] }));
    const alone = await translator.score(pairs, { batchTokens: 1 });
    const together = await translator.score(pairs, { batchTokens: 1e9 });
    for (const [i, { total, pieces, score }] of alone.entries()) {
      expect(Math.abs(together[i].total - total) / pieces.length).toBeLessThan(1e-5);
      expect(score).toBe(total);
    }
  });
  it('are defined for empty texts', async () => {
    const [{ pieces, logProbabilities }] = await translator.score([{ source: '', target: '' }]);
    expect(pieces).toEqual([]);
    expect(logProbabilities).toHaveLength(1);
    expect(await translator.score([])).toEqual([]);
  });
});

describe('ensembles', () => {
  it('of two copies of a model equal the model', async () => {
    const twice = new Translator([model, model], setup);
    const options = { beam: 3, attention: true };
    const alone = await best(options);
    for (const [i, translation] of (await best(options, twice)).entries()) {
      expect(translation.tokens).toEqual(alone[i].tokens);
      expect(Math.abs(translation.score - alone[i].score)).toBeLessThan(1e-5);
    }
    const pairs = [{ source: 'the cat', target: 'the dog' }];
    expect((await twice.score(pairs))[0].total).toBeCloseTo((await translator.score(pairs))[0].total, 5);
  });
  it('of two models score as they search', async () => {
    const two = new Translator([model, wordyModel({ seed: 2 })], setup);
    const [{ translations }] = await two.translateAll(['the cat sat'], { beam: 2, lengthPenalty: 'none' });
    const [{ tokens, score, reason, logProbabilities }] = translations;
    const [scored] = await two.score([{ source: 'the cat sat', target: tokens }]);
    const ended = reason === 'end' ? 0 : scored.logProbabilities.at(-1)!;
    expect(scored.total - ended).toBeCloseTo(score, 4);
    expect(withoutScores(translations)).not.toEqual(withoutScores((await best({ beam: 2 })).slice(0, 1)));
    expect(logProbabilities.length).toBeGreaterThan(0);
  });
  it('refuse models that do not share their tokenizers, naming the difference', () => {
    expect(() => new Translator([], setup)).toThrow('translate: needs at least one model, got none.');
    expect(() => new Translator([model, smallModel()], setup, ['one', 'other'])).toThrow(
      /^other: must have the source tokenizer of one to translate beside it, but piece \d+ is “.*” there and “.*” here; /,
    );
    const shorter: StoredModel = smallModel({ separate: true });
    const longer: StoredModel = { ...shorter, targetTokenizer: shorter.sourceTokenizer };
    expect(() => new Translator([shorter, longer], setup)).toThrow(
      /^model 2: must have the target tokenizer of model 1/,
    );
  });
});

describe('stream', () => {
  it.each<TranslateOptions>([{}, { sampling: { seed: 9 } }, { prefix: 'the ' }, { ban: ['the'], noRepeatNgram: 2 }])(
    'writes the translation: %j',
    async (options) => {
      const whole = await translator.translateAll(lines.slice(0, 6), { beam: 1, ...options });
      for (const [firstLine, { source, translations }] of whole.entries())
        expect(await textOf(translator.stream(source, { ...options, firstLine }))).toBe(translations[0].text);
    },
  );
  it('yields parts as they are generated, and returns the translation', async () => {
    const stream = translator.stream('the cat sat on the mat', { minLength: 8 });
    const parts: string[] = [];
    let part = await stream.next();
    for (; !part.done; part = await stream.next()) parts.push(part.value);
    expect(parts.length).toBeGreaterThan(3);
    expect(part.value.text).toBe(parts.join(''));
    expect(await textOf(translator.stream('  '))).toBe('  ');
  });
  it.each<[TranslateOptions, string]>([
    [{ beam: 4 }, 'beam 4'],
    [{ sampling: {}, nBest: 2 }, 'nBest 2'],
    [{ alternatives: true }, 'alternatives'],
    [{ glossary: new Glossary([]) }, 'a glossary'],
  ])('refuses %j', async (options, what) => {
    await expect(translator.stream('the cat', options).next()).rejects.toThrow(
      `stream: writes one translation that it never revises, got ${what}; leave it out.`,
    );
  });
});

describe('options', () => {
  it.each<[TranslateOptions, string]>([
    [{ ban: [' '] }, 'translate: ban needs a word or phrase, got " ".'],
    [{ batchTokens: 0 }, 'translate: batchTokens must be a whole number of at least 1, got 0.'],
    [{ windowLines: 0.5 }, 'translate: windowLines must be a whole number of at least 1, got 0.5.'],
    [{ firstLine: -1 }, 'translate: firstLine must be a whole number of at least 0, got -1.'],
    [{ windowMs: Number.NaN }, 'translate: windowMs must be a number of at least 0, got NaN.'],
    [{ glossary: new Glossary([]), sampling: {} }, 'translate: glossary needs beam search; leave out sampling'],
    [{ beam: 0 }, 'decode: beam must be a whole number of at least 1, got 0.'],
    [{ nBest: 5 }, 'decode: nBest must be at most beam, got nBest 5 and beam 4.'],
    [{ sampling: {}, beam: 2 }, 'decode: sampling needs beam 1, got beam 2'],
    [{ lengthPenalty: 'wu' }, 'decode: lengthPenalty must be gnmt:ALPHA'],
  ])('refuse %j before any input is read', async (options, message) => {
    await expect(translator.translateAll([], options)).rejects.toThrow(message);
  });
  it('that are invalid in the model folder are errors that name the file', async () => {
    const wrong = new Translator({ ...model, generation: { beem: 4 } }, setup);
    await expect(wrong.translate('a')).rejects.toThrow(
      'generation.json: decode: unknown option beem; did you mean beam?',
    );
  });
  it('that are undefined have the model’s defaults', async () => {
    expect(withoutScores(await best({ beam: undefined }))).toEqual(withoutScores(await best({ beam: 4 })));
  });
  it('are limited by the table of learned positions, with an error that names the line', async () => {
    const learned = new Translator(
      [wordyModel({ architecture: { positions: 'learned', maxPositions: 40 } }), model],
      setup,
    );
    const [{ translations }] = await learned.translateAll(['the cat'], { minLength: 40, maxLengthExtra: 100 });
    expect(translations[0].pieces).toHaveLength(40);
    const long = 'cat '.repeat(60);
    await expect(learned.translateAll(['a', long])).rejects.toThrow(
      /^line 2: the source must fit into this model's 40 learned positions, got \d+ pieces with the end; split it\.$/,
    );
    await expect(learned.score([{ source: 'a', target: long }], { firstLine: 4 })).rejects.toThrow(
      /^line 5: the target must fit/,
    );
  });
});

/** The cross-attention of a layer in a pass over a whole output, [B, heads, T, S]. */
function attentionProgram({ config, parameters }: StoredModel, layer: number): Promise<Program> {
  const logits = batchLogits(buildModel(config));
  const weights = namedTensors([logits]).get(`decoder.layers.${layer}.crossAttention.weights`)!;
  return compile({ weights }, { weights: parameters.weights(), threads: 1 });
}

/** The mean of the heads, [tokens][source]. */
async function forcedAttention(program: Program, source: string, tokens: readonly number[]): Promise<number[][]> {
  const ids = Int32Array.of(...wordyTokenizer.encode(source), wordyTokenizer.endId);
  const read = Int32Array.of(wordyTokenizer.startId, ...tokens);
  const results = await program.run(
    new Map([
      ['source', { shape: [1, ids.length], data: ids }],
      ['target', { shape: [1, read.length], data: read }],
    ]),
  );
  const { shape, data } = results.weights;
  const [, heads, targetLength, sourceLength] = shape;
  const at = (head: number, i: number, j: number) => data[(head * targetLength + i) * sourceLength + j];
  return tokens.map((_, i) =>
    Array.from({ length: sourceLength }, (_, j) => {
      const sum = Array.from({ length: heads }, (_, head) => at(head, i, j)).reduce((a, b) => a + b, 0);
      return sum / heads;
    }),
  );
}

/** Whether rounding cannot change which weight is the highest. */
function isDecided(weights: readonly number[]): boolean {
  const [first, second = 0] = weights.toSorted((a, b) => b - a);
  return first - second > 1e-4;
}
