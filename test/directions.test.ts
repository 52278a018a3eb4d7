// A model with several target languages: translation and scoring add the tag before the source; text never produces it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { addScoreCommand } from '../src/cli/commands/score.ts';
import { addTranslateCommand } from '../src/cli/commands/translate.ts';
import { directionsOf, quantizeModel } from '../src/model/index.ts';
import { loadModel, saveModel } from '../src/model/node.ts';
import { compile } from '../src/runtime/node/index.ts';
import { Translator } from '../src/translate/index.ts';
import { TranslatorPool } from '../src/translate/node.ts';
import { runCommand } from './run-command.ts';
import { smallModel } from './small-model.ts';

const model = smallModel({ languages: ['zh', 'en'] });
const translator = new Translator(model, { compile, threads: 1 });
const lines = ['the cat sat', '>>en<< the dog', ' ', 'naïve größe'];
const short = { maxLengthExtra: 4, attention: true };

const folder = mkdtempSync(join(tmpdir(), 'heed-directions-'));
const path = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

describe('a model with tags', () => {
  it('keeps its directions on disk, quantised too', async () => {
    await saveModel(path('model'), model);
    await saveModel(path('int8'), quantizeModel(model));
    const both = [
      { source: 'en', target: 'zh' },
      { source: 'zh', target: 'en' },
    ];
    expect(directionsOf(model.sourceTokenizer, model.training)).toEqual(both);
    expect((await loadModel(path('model'))).directions).toEqual(both);
    expect((await loadModel(path('int8'))).directions).toEqual(both);
    expect(translator.directions).toEqual(both);
  });

  it('reads the tag before each source; a tag spelled in text is text', async () => {
    for (const to of ['zh', 'en']) {
      const results = await translator.translateAll(lines, { ...short, to });
      for (const { source, sourcePieces } of results) {
        const { sourceTokenizer } = model;
        const pieces = sourceTokenizer.pieces(sourceTokenizer.encode(source));
        expect(sourcePieces).toEqual(source === ' ' ? [] : [`>>${to}<<`, ...pieces, '</s>']);
      }
    }
  });

  it('scores consistently with translation, for each language', async () => {
    const [chinese, english] = await Promise.all(
      ['zh', 'en'].map((to) => translator.translateAll(['the cat sat on the mat'], { ...short, to })),
    );
    const { tokens, logProbabilities } = chinese[0].translations[0];
    const total = logProbabilities.reduce((sum, value) => sum + value, 0);
    const pair = { source: 'the cat sat on the mat', target: tokens };
    const [own] = await translator.score([pair], { to: 'zh' });
    const [other] = await translator.score([pair], { from: 'zh' });
    expect(own.logProbabilities.slice(0, logProbabilities.length)).toHaveLength(logProbabilities.length);
    const scored = own.logProbabilities.slice(0, logProbabilities.length).reduce((sum, value) => sum + value, 0);
    expect(scored).toBeCloseTo(total, 4);
    expect(Math.abs(own.total - other.total)).toBeGreaterThan(1e-3);
    expect(english[0].translations[0].logProbabilities).not.toEqual(logProbabilities);
  });

  it('links words of the text only', async () => {
    const results = await translator.translateAll(lines, { ...short, to: 'zh' });
    for (const { source, translations } of results.filter(({ source }) => source !== ' ')) {
      const { alignment, attention, pieces } = translations[0];
      expect(attention?.[0]).toHaveLength(1 + model.sourceTokenizer.encode(source).length + 1);
      expect(alignment?.pieces).toHaveLength(pieces.length);
      for (const piece of alignment?.pieces ?? []) expect(piece).toBeGreaterThan(0);
      for (const link of alignment?.words ?? []) expect(link.source).toBeLessThan(source.split(' ').length);
    }
  });

  it('needs a target language in every method', async () => {
    const rule = 'translate: to must say which language to translate into: zh or en.';
    await expect(translator.translate('a')).rejects.toThrow(rule);
    await expect(translator.stream('a').next()).rejects.toThrow(rule);
    await expect(translator.score([{ source: 'a', target: 'b' }])).rejects.toThrow(rule);
    await expect(translator.translateLines(['a']).next()).rejects.toThrow(rule);
  });

  it('streams and runs in threads', async () => {
    const [{ text }] = (await translator.translateAll(['the dog'], { beam: 1, maxLengthExtra: 4, from: 'en' })).map(
      ({ translations }) => translations[0],
    );
    let streamed = '';
    for await (const part of translator.stream('the dog', { maxLengthExtra: 4, to: 'zh' })) streamed += part;
    expect(streamed).toBe(text);
    const pool = new TranslatorPool([path('model')], { workers: 1 });
    const [pooled] = await pool.translateAll(['the dog'], { beam: 1, maxLengthExtra: 4, to: 'zh' });
    expect(pooled.translations[0].text).toBe(text);
    await expect(pool.translateAll(['a'])).rejects.toThrow('to must say which language');
    await pool.release();
  });
});

describe('the command line', () => {
  it('translates and scores --from and --to', async () => {
    writeFileSync(path('source'), 'the cat\nthe dog\n');
    writeFileSync(path('target'), 'cat\ndog\n');
    const files = ['--model', path('model'), '--input', path('source'), '--max-length-extra', 2, '--threads', 1];
    const { stdout } = await runCommand(addTranslateCommand, ['translate', ...files, '--from', 'en', '--to', 'zh']);
    const expected = await translator.translate(['the cat', 'the dog'], { maxLengthExtra: 2, to: 'zh' });
    expect(stdout).toBe(`${expected.join('\n')}\n`);
    const pair = ['score', '--model', path('model'), '--source', path('source'), '--target', path('target')];
    const scores = await runCommand(addScoreCommand, [...pair, '--to', 'en']);
    const [first] = await translator.score([{ source: 'the cat', target: 'cat' }], { to: 'en' });
    expect(Number(scores.stdout.split('\n')[0])).toBeCloseTo(first.score, 4);
    await expect(runCommand(addScoreCommand, pair)).rejects.toThrow('to must say which language');
    await expect(runCommand(addTranslateCommand, ['translate', ...files, '--to', 'zhh'])).rejects.toThrow(
      'did you mean zh?',
    );
  });
});
