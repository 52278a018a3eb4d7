// heed translate and heed score: what they print, and how they refuse.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addScoreCommand } from '../src/cli/commands/score.ts';
import { addTranslateCommand } from '../src/cli/commands/translate.ts';
import { saveModel } from '../src/model/node.ts';
import { compile } from '../src/runtime/node/index.ts';
import { Translator } from '../src/translate/index.ts';
import { smallModel } from './small-model.ts';
import { wordyModel } from './wordy-model.ts';

const model = wordyModel();
const translator = new Translator(model, { compile, threads: 1 });
const lines = ['the cat sat on the mat', '', 'the dog ran to the man who had 42 hats', 'Köln'];
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heed-decoding-'));
  await saveModel(join(folder, 'model'), model);
  await saveModel(join(folder, 'second'), wordyModel({ seed: 2 }));
  await saveModel(join(folder, 'stranger'), smallModel());
  file('input.txt', lines.map((line) => `${line}\n`).join(''));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function heed(...args: string[]): Promise<void> {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  addTranslateCommand(program);
  addScoreCommand(program);
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => {} });
  await program.parseAsync(args, { from: 'user' });
}

/** The lines that the command writes for the four lines of input. */
async function translated(...args: string[]): Promise<string[]> {
  const output = join(folder, 'output.txt');
  const files = ['--input', join(folder, 'input.txt'), '--output', output];
  await heed('translate', '--model', join(folder, 'model'), ...files, ...args);
  return linesOf(output);
}

function linesOf(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text.split('\n').slice(0, -1);
}

describe('heed translate', () => {
  it('prints one translation per line', async () => {
    expect(await translated()).toEqual(await translator.translate(lines));
    expect(await translated('--beam', '1', '--min-length', '9')).toEqual(
      await translator.translate(lines, { beam: 1, minLength: 9 }),
    );
  });

  it.each<[string[], object]>([
    [['--beam', '3', '--length-penalty', 'average:1'], { beam: 3, lengthPenalty: 'average:1' }],
    [['--coverage-penalty', '0.4'], { coveragePenalty: 0.4 }],
    [['--max-length', '5', '--max-length-extra', '2'], { maxLength: 5, maxLengthExtra: 2 }],
    [['--no-repeat-ngram', '2', '--min-length', '20'], { noRepeatNgram: 2, minLength: 20 }],
    [['--repetition-penalty', '1.5'], { repetitionPenalty: 1.5 }],
    [['--sample', '--temperature', '0.7', '--seed', '6'], { sampling: { temperature: 0.7, seed: 6 } }],
    [['--sample', '--top-k', '3'], { sampling: { topK: 3 } }],
    [['--sample', '--top-p', '0.8'], { sampling: { topP: 0.8 } }],
    [['--ban', 'the', '--ban', 'cat'], { ban: ['the', 'cat'] }],
    [['--prefix', 'the dog'], { prefix: 'the dog' }],
    [['--batch-tokens', '7'], {}],
  ])('passes %j on', async (args, options) => {
    expect(await translated(...args)).toEqual(await translator.translate(lines, options));
  });

  it('reads a glossary', async () => {
    const glossary = file('terms.tsv', 'cat\tStraße\nhats\tKöln\n');
    const texts = await translated('--glossary', glossary);
    expect(` ${texts[0]}`).toContain(' Straße');
    expect(` ${texts[2]}`).toContain(' Köln');
  });

  it('prints lists as Moses does, numbered by the input line', async () => {
    const all = await translator.translateAll(lines, { nBest: 2, beam: 4 });
    const expected = all.flatMap(({ translations }, i) =>
      translations.map(({ text, score }) => `${i} ||| ${text} ||| ${score.toFixed(6)}`),
    );
    expect(await translated('--n-best', '2', '--distinct')).toHaveLength(7);
    expect(withoutDigits(await translated('--n-best', '2'))).toEqual(withoutDigits(expected));
    const alternatives = await translated('--n-best', '3', '--alternatives', '--beam', '2');
    const firstWords = alternatives.filter((line) => line.startsWith('0 ')).map((line) => line.split(' ||| ')[1][0]);
    expect(alternatives).toHaveLength(10);
    expect(firstWords).toHaveLength(3);
  });

  it('prints word alignment after the text', async () => {
    const all = await translator.translateAll(lines, { attention: true });
    const printed = await translated('--alignment', 'pharaoh');
    for (const [i, { translations, source }] of all.entries()) {
      const [{ text, alignment }] = translations;
      const links = alignment!.words.map(({ source: from, target }) => `${from}-${target}`).join(' ');
      expect(printed[i]).toBe(`${text} ||| ${links}`);
      for (const { source: from } of alignment!.words) expect(from).toBeLessThan(source.split(' ').length);
    }
    const lists = await translated('--alignment', 'pharaoh', '--n-best', '2');
    for (const line of lists) expect(line.split(' ||| ')).toHaveLength(4);
  });

  it('prints every decoding result as records', async () => {
    const records = (await translated('--format', 'jsonl', '--n-best', '2')).map((line) => JSON.parse(line));
    expect(records.map(({ source }) => source)).toEqual(lines);
    const [{ sourcePieces, translations }] = records;
    const [{ text, pieces, score, logProbabilities, reason, alignment, ...rest }] = translations;
    expect(pieces.join('').replaceAll('▁', ' ').trim()).toBe(text.trim());
    const sum = logProbabilities.reduce((a: number, b: number) => a + b, 0);
    expect(score).toBeCloseTo(sum / ((5 + logProbabilities.length) / 6) ** 0.6, 4);
    expect(['end', 'length']).toContain(reason);
    expect(alignment.pieces).toHaveLength(pieces.length);
    expect(Math.max(...alignment.pieces)).toBeLessThan(sourcePieces.length - 1);
    expect(alignment.words[0][1]).toBe(0);
    expect(rest).toEqual({});
    expect(records[1]).toEqual({
      source: '',
      sourcePieces: [],
      translations: [
        {
          text: '',
          pieces: [],
          score: 0,
          logProbabilities: [],
          reason: 'blank',
          alignment: { pieces: [], words: [] },
        },
      ],
    });
  });

  it('adds attention and missing terms to records on request', async () => {
    const glossary = file('room.tsv', 'Köln\tthe man who had\n');
    const args = ['--format', 'jsonl', '--attention', '--attention-layer', '0', '--glossary', glossary];
    const records = (await translated(...args, '--max-length', '2')).map((line) => JSON.parse(line));
    expect(records[0].translations[0].missingTerms).toEqual([]);
    expect(records[3].translations[0].missingTerms).toEqual(['the man who had']);
    const { sourcePieces, translations } = records[0];
    for (const row of translations[0].attention) {
      expect(row).toHaveLength(sourcePieces.length);
      expect(row.reduce((a: number, b: number) => a + b, 0)).toBeCloseTo(1, 4);
    }
  });

  it('streams what it would print', async () => {
    expect(await translated('--stream')).toEqual(await translator.translate(lines, { beam: 1 }));
    const sample = ['--sample', '--seed', '3'];
    expect(await translated('--stream', ...sample)).toEqual(await translated(...sample));
  });

  it('translates with an ensemble', async () => {
    const two = new Translator([model, wordyModel({ seed: 2 })], { compile, threads: 1 });
    expect(await translated('--model', join(folder, 'second'))).toEqual(await two.translate(lines));
  });

  it('prints one line per input even if the model emits a line break', async () => {
    expect(await translated('--prefix', 'a\nb\r\nc', '--beam', '1')).toHaveLength(lines.length);
    expect((await translated('--prefix', 'a\nb', '--stream'))[0]).toMatch(/^a b/);
  });

  it.each<[string[], string | RegExp]>([
    [['--beam', '0'], 'decode: beam must be a whole number of at least 1, got 0.'],
    [['--beam', 'four'], '--beam: must be a number, got "four".'],
    [['--beem', '4'], /unknown option '--beem'/],
    [['--n-best', '9'], 'decode: nBest must be at most beam, got nBest 9 and beam 4.'],
    [['--sample', '--beam', '4'], 'decode: sampling needs beam 1, got beam 4; use one of the two.'],
    [['--sample', '--alternatives'], 'decode: alternatives are searched for, not sampled; use one of the two.'],
    [['--temperature', '2'], '--temperature: needs --sample; add it or leave out --temperature.'],
    [['--top-k', '2'], '--top-k: needs --sample; add it or leave out --top-k.'],
    [['--top-p', '0.5'], '--top-p: needs --sample; add it or leave out --top-p.'],
    [['--seed', '2'], '--seed: needs --sample; add it or leave out --seed.'],
    [['--sample', '--top-p', '2'], 'decode: sampling.topP must be a number above 0 and at most 1, got 2.'],
    [['--length-penalty', 'long'], 'decode: lengthPenalty must be gnmt:ALPHA'],
    [['--coverage-penalty', '-1'], 'decode: coveragePenalty must be a number of at least 0, got -1.'],
    [['--min-length', '5', '--max-length', '4'], 'decode: minLength must be at most maxLength, got 5 and 4.'],
    [['--no-repeat-ngram', '1.5'], 'decode: noRepeatNgram must be a whole number of at least 0, got 1.5.'],
    [['--repetition-penalty', '0'], 'decode: repetitionPenalty must be a number above 0, got 0.'],
    [['--max-length-extra', '-1'], 'decode: maxLengthExtra must be a whole number of at least 0, got -1.'],
    [['--distinct', 'maybe'], '--distinct: must be true or false, got "maybe".'],
    [['--ban', ''], 'translate: ban needs a word or phrase, got "".'],
    [['--format', 'xml'], /^translate: format: .*got "xml"\.$/],
    [['--alignment', 'moses'], /^translate: alignment: .*got "moses"\.$/],
    [['--attention'], '--attention: needs --format jsonl; add it or leave out --attention.'],
    [['--attention-layer', '7'], 'translate: attentionLayer must be a decoder layer from 0 to 2, got 7.'],
    [['--format', 'jsonl', '--alignment', 'pharaoh'], '--alignment: is for text; JSON records hold the alignment'],
    [['--stream', '--beam', '2'], 'stream: writes one translation that it never revises, got beam 2; leave it out.'],
    [['--stream', '--format', 'jsonl'], '--stream: needs --format text; add it or leave out --stream.'],
    [['--stream', '--alignment', 'pharaoh'], '--stream: prints text as it is written; --alignment needs whole lines'],
    [['--batch-tokens', '0'], 'translate: batchTokens must be a whole number of at least 1, got 0.'],
    [['--threads', '0'], /^translate: threads: .*got 0\.$/],
    [['--prefix', 'the cat '.repeat(40)], /prefix must leave room below the sentence's maximal length/],
    [['--ban', 'the', '--prefix', 'the'], /prefix holds \d+, which is a control token or banned and cannot be forced/],
  ])('refuses %j', async (args, message) => {
    await expect(translated(...args)).rejects.toThrow(message);
  });

  it('refuses unusable files', async () => {
    await expect(translated('--input', join(folder, 'none.txt'))).rejects.toThrow('none.txt: no such file');
    await expect(translated('--output', join(folder, 'none', 'x'))).rejects.toThrow('cannot be written: ENOENT');
    await expect(translated('--glossary', join(folder, 'none.tsv'))).rejects.toThrow('none.tsv: no such file');
    await expect(translated('--glossary', file('bad.tsv', 'cat Katze\n'))).rejects.toThrow('bad.tsv, line 1: must be');
    const stranger = join(folder, 'stranger');
    await expect(translated('--model', stranger)).rejects.toThrow(
      `${stranger}: must have the source tokenizer of ${join(folder, 'model')} to translate beside it, but `,
    );
    const glossary = file('terms.tsv', 'cat\tStraße\n');
    await expect(translated('--glossary', glossary, '--sample')).rejects.toThrow('glossary needs beam search');
    await expect(translated('--glossary', glossary, '--stream')).rejects.toThrow('stream: writes one translation');
  });
});

describe('heed score', () => {
  const targets = ['the dog', '', 'a hat', 'Köln Straße'];
  const pairs = lines.map((source, i) => ({ source, target: targets[i] }));

  async function scored(...args: string[]): Promise<string[]> {
    const target = file('target.txt', targets.map((line) => `${line}\n`).join(''));
    const output = join(folder, 'scores.txt');
    const files = ['--source', join(folder, 'input.txt'), '--target', target, '--output', output];
    await heed('score', '--model', join(folder, 'model'), ...files, ...args);
    return linesOf(output);
  }

  it('prints the log-probability of each line', async () => {
    const expected = await translator.score(pairs);
    const got = (await scored()).map(Number);
    expect(got).toHaveLength(lines.length);
    for (const [i, { total }] of expected.entries()) expect(got[i]).toBeCloseTo(total, 4);
    for (const batchTokens of ['1', '100'])
      for (const [i, score] of (await scored('--batch-tokens', batchTokens)).entries())
        expect(Number(score)).toBeCloseTo(got[i], 4);
  });
  it('divides by the length penalty', async () => {
    const expected = await translator.score(pairs, { lengthPenalty: 'average:1' });
    for (const [i, score] of (await scored('--length-penalty', 'average:1')).entries())
      expect(Number(score)).toBeCloseTo(expected[i].score, 4);
  });
  it('prints records', async () => {
    const [{ source, target, pieces, logProbabilities, total, score }] = (
      await scored('--format', 'jsonl', '--length-penalty', 'average:1')
    ).map((line) => JSON.parse(line));
    expect([source, target]).toEqual([lines[0], 'the dog']);
    expect(pieces.join('')).toBe('▁the▁dog');
    expect(logProbabilities).toHaveLength(pieces.length + 1);
    expect(total).toBeCloseTo(
      logProbabilities.reduce((a: number, b: number) => a + b, 0),
      4,
    );
    expect(score).toBeCloseTo(total / logProbabilities.length, 4);
  });
  it('scores with an ensemble', async () => {
    const two = new Translator([model, wordyModel({ seed: 2 })], { compile, threads: 1 });
    const expected = await two.score(pairs);
    for (const [i, score] of (await scored('--model', join(folder, 'second'))).entries())
      expect(Number(score)).toBeCloseTo(expected[i].total, 4);
  });
  it('refuses invalid input', async () => {
    await expect(scored('--length-penalty', 'x')).rejects.toThrow('decode: lengthPenalty must be gnmt:ALPHA');
    await expect(scored('--source', join(folder, 'none.txt'))).rejects.toThrow('none.txt: no such file');
    await expect(scored('--target', file('short.txt', 'a\n'))).rejects.toThrow('must have as many lines as');
    await expect(scored('--format', 'xml')).rejects.toThrow('score: format: ');
  });
});

function withoutDigits(lines: readonly string[]): string[] {
  return lines.map((line) => line.replace(/\d\d$/, ''));
}
