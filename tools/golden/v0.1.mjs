// Makes test/fixtures/v0.1: models and a stopped run made by heed 0.1, and what heed 0.1 itself does with them.
//
//     node tools/golden/v0.1.mjs FOLDER
//
// FOLDER is a built checkout of heed 0.1. Later versions must load these files, translate with them and resume the
// run (test/v0.1.test.ts), so they are never made anew by another version.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const version = '0.1.0';
const fixtures = fileURLToPath(new URL('../../test/fixtures/v0.1', import.meta.url));

const [given] = process.argv.slice(2);
if (given === undefined) {
  console.error('usage: node tools/golden/v0.1.mjs FOLDER');
  process.exit(2);
}
const old = resolve(given);
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const made = readJson(`${old}/package.json`).version;
if (made !== version) throw new Error(`${given}: must be heed ${version}, got ${made}`);
const library = (path) => import(pathToFileURL(`${old}/dist/${path}`).href);

/** Every model: its options beside the common ones. `second` shares the tokenizer of `paper`, so that both make an ensemble. */
const models = {
  paper: { dModel: 32, dInner: 64, heads: 4, encoderLayers: 1, decoderLayers: 1, epochs: 40, ...oneDirection() },
  second: {
    dModel: 16,
    dInner: 32,
    heads: 2,
    encoderLayers: 2,
    decoderLayers: 1,
    epochs: 40,
    ...oneDirection(),
    positions: 'learned',
    maxPositions: 64,
    activation: 'gelu',
    seed: 2,
  },
  rotary: {
    dModel: 16,
    dInner: 24,
    heads: 2,
    encoderLayers: 1,
    decoderLayers: 1,
    epochs: 40,
    norm: 'pre',
    positions: 'rotary',
    activation: 'swiglu',
    attentionBias: false,
    vocabulary: 'separate',
    embeddings: 'separate',
    corpora: [direction('sv'), direction('de')],
  },
};
const common = { merges: 60, maxTokens: 600, schedule: 'inverse-sqrt', peakRate: 0.01, warmupSteps: 60, threads: 1 };

/** Each kind of decoding that is recorded. */
const decodings = { greedy: ['--beam', 1], beam4: ['--beam', 4], nBest: ['--beam', 4, '--n-best', 3] };

/**
 * Validates within epochs, draws from every random stream and averages checkpoints. It is stopped within an epoch, after
 * the first of the four validations without improvement that end it: how it goes on depends on all of its state.
 */
const stoppedRun = {
  ...{ ...common, schedule: 'constant', maxTokens: 250, peakRate: 0.08, warmupSteps: 10, accumulate: 2, clipNorm: 1 },
  dModel: 12,
  dInner: 16,
  heads: 2,
  encoderLayers: 1,
  decoderLayers: 1,
  dropout: 0.1,
  ...oneDirection(),
  source: 'text/short.en',
  target: 'text/short.sv',
  validSource: 'text/valid.en',
  validTarget: 'text/valid.sv',
  bpeDropout: 0.1,
  noiseCase: 0.1,
  noiseTypos: 0.02,
  averageLast: 2,
  bestBy: 'loss',
  samples: 1,
  validateEvery: 3,
  patience: 4,
  logEvery: 4,
  saveEvery: 5,
  epochs: 60,
  seed: 2,
};
const stopAfter = 41;

const temporary = mkdtempSync(join(tmpdir(), 'heed-v0.1-'));
rmSync(fixtures, { recursive: true, force: true });
mkdirSync(`${fixtures}/text`, { recursive: true });
process.chdir(fixtures);
await writeTexts();
for (const [name, options] of Object.entries(models)) trainModel(name, options);
heed('quantize', '--model', 'paper', '--output', 'paper-int8');
await makeStoppedRun();
const modelsInto = { sv: ['paper', 'second', 'paper second', 'paper-int8', 'rotary'], de: ['rotary'] };
const record = {
  madeBy: {
    script: 'tools/golden/v0.1.mjs',
    heed: version,
    node: process.version,
    onnxruntime: readJson(`${old}/node_modules/onnxruntime-node/package.json`).version,
    cpu: cpus()[0].model,
    vectorInstructions: vectorInstructions(),
  },
  translations: Object.fromEntries(
    Object.entries(modelsInto).flatMap(([to, names]) => names.map((name) => [`${name} → ${to}`, translated(name, to)])),
  ),
  resumed: resumedToItsEnd(),
};
writeFileSync('expected.json', `${JSON.stringify(record, null, 1)}\n`);
rmSync(temporary, { recursive: true });

/** Dates in English; Swedish writes them 2021-03-09, German 09.03.2021. */
async function writeTexts() {
  const { generateDates } = await library('data/index.js');
  const months =
    'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|January|February|March|April|June|July|August|September';
  const english = new RegExp(
    `^([A-Z][a-z]+, )?(\\d+ )?(${months}|October|November|December) (\\d+(st|nd|rd|th)?, )?\\d{4}$`,
  );
  const pairs = generateDates({ count: 40_000, seed: 1 }).filter(({ source }) => english.test(source));
  const sides = {
    en: ({ source }) => source,
    sv: ({ target }) => target,
    de: ({ target }) => target.replace(/(\d+)-(\d+)-(\d+)/g, '$3.$2.$1'),
  };
  const parts = { train: [0, 600], short: [0, 120], valid: [600, 624], test: [624, 642] };
  for (const [part, [from, to]] of Object.entries(parts)) {
    const chosen = pairs.slice(from, to);
    if (part === 'test')
      chosen.push(
        { source: 'Freitag, 1. März 2019 – 世界', target: '2019-03-01' },
        { source: 'May 1st, 2001, and then again on 2 May 2002 or 3 May 2003', target: '2001-05-01 2002-05-02' },
      );
    for (const [language, written] of Object.entries(sides))
      writeFileSync(`text/${part}.${language}`, chosen.map((pair) => `${written(pair)}\n`).join(''));
  }
}

function oneDirection() {
  return { source: 'text/train.en', target: 'text/train.sv', sourceLanguage: 'en', targetLanguage: 'sv' };
}

function direction(language) {
  return { source: 'text/train.en', target: `text/train.${language}`, sourceLanguage: 'en', targetLanguage: language };
}

function heed(...args) {
  return execFileSync(process.execPath, [`${old}/dist/cli/main.js`, ...args.map(String)], { encoding: 'utf8' });
}

function trainModel(name, options) {
  const file = `${temporary}/${name}.yaml`;
  writeFileSync(file, JSON.stringify({ ...common, ...options })); // JSON is YAML
  heed('train', '--model', name, '--config', file);
  rmSync(`${name}/training`, { recursive: true });
}

/** Stopped as Ctrl-C does, but after a given update, so that the same files are made again. */
async function makeStoppedRun() {
  const [{ prepareTraining }, corpora, { recipeOptions }] = await Promise.all(
    ['train-model', 'corpora', 'recipe'].map((name) => library(`cli/${name}.js`)),
  );
  const recipe = recipeOptions.parse(stoppedRun);
  const stop = new AbortController();
  const trainer = await prepareTraining({
    recipe,
    folder: 'stopped-run',
    resumed: undefined,
    onPrepared: () => {},
    corpora: corpora.trainingCorpora(recipe),
    valid: corpora.validCorpus(recipe),
    hooks: {
      signal: stop.signal,
      onProgress: ({ state }) => state.step === stopAfter && stop.abort(),
    },
  });
  const outcome = await trainer.run();
  if (outcome !== 'interrupted') throw new Error(`the run must be stopped before its end, got ${outcome}`);
}

function translated(name, to) {
  const flags = ['--model', ...name.split(' '), '--to', to, '--threads', 1, '--format', 'jsonl'];
  const lines = (command, ...args) =>
    heed(command, ...args, ...flags)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const decoded = Object.entries(decodings).map(([key, options]) => [
    key,
    lines('translate', '--input', 'text/test.en', ...options).map(({ translations }) =>
      translations.map(({ text, score }) => ({ text, score })),
    ),
  ]);
  const scores = lines('score', '--source', 'text/test.en', '--target', `text/test.${to}`);
  return { ...Object.fromEntries(decoded), scores: scores.map(({ logProbabilities }) => logProbabilities) };
}

/** In a copy; the run itself stays as it is. */
function resumedToItsEnd() {
  const folder = `${temporary}/resumed`;
  cpSync('stopped-run', folder, { recursive: true });
  heed('train', '--model', folder, '--resume');
  const sha256 = (name) =>
    createHash('sha256')
      .update(readFileSync(`${folder}/${name}`))
      .digest('hex');
  return { 'model.safetensors': sha256('model.safetensors'), 'training/events.jsonl': sha256('training/events.jsonl') };
}

/** What the processor can add and multiply with, which decides in what order the engine adds up; Linux only. */
function vectorInstructions() {
  const [, flags = ''] = /^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8')) ?? [];
  return [...new Set(flags.split(' ').filter((flag) => /^(avx|amx|fma)/.test(flag)))].sort().join(' ');
}
