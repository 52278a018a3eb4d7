// An experiment from its recipe to its section in docs/results.md: trains (or resumes), translates the tests if there are any to translate, scores them.
//
//     npm run results -- NAME [--score-only] [--bundle] [--data DIR] [--models DIR] [--model DIR] [--recipes DIR] [--report DIR]
//
// `--score-only` takes the model as it is. `--bundle` (of tatoeba-en-zh) also makes the bundled model, models/en-zh, from it.
// `--data` (default ../shared/data) holds a folder for each corpus; if it is missing, nothing is done and the missing file is named.
// `--models` (default .results) gets the trained models, each under its experiment's name unless `--model` names its folder.
// `--recipes` (default results) holds NAME.yaml; `--report` (default the repository) gets results/NAME.json, docs/results.md and models/.

import { existsSync, mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { didYouMean } from '../dist/base/nearest.js';
import { makeBundledModel } from './bundled-model.mjs';
import { experiments } from './experiments.mjs';
import { factsOf } from './facts.mjs';
import { heed } from './heed.mjs';
import { Inputs } from './inputs.mjs';
import { writeReport } from './report.mjs';

const text = (fallback) => ({ type: 'string', default: fallback });
const { values: chosen, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'score-only': { type: 'boolean', default: false },
    bundle: { type: 'boolean', default: false },
    data: text('../shared/data'),
    models: text('.results'),
    model: { type: 'string' },
    recipes: text('results'),
    report: text('.'),
  },
});

const [name = ''] = positionals;
const experiment = experiments[name];
if (experiment === undefined || positionals.length !== 1) {
  const known = Object.keys(experiments);
  console.error(`error: needs the name of one experiment${didYouMean(name, known) || '.'} Known: ${known.join(', ')}.`);
  process.exit(1);
}
if (chosen.bundle && !experiment.bundled) {
  console.error(`error: --bundle is for the experiment of the bundled model, got ${name}.`);
  process.exit(1);
}
const model = chosen.model ?? `${chosen.models}/${name}`;
const inputs = new Inputs(name, experiment, chosen);
const missing = inputs.missing();
if (missing === undefined) await run();
else console.log(`${name}: skipped, since ${missing} is not there; --data names the folder of the corpora.`);

async function run() {
  mkdirSync(chosen.models, { recursive: true });
  const files = inputs.trainingFiles().flatMap(([flag, path]) => [`--${flag}`, path]);
  const train = ['train', '--config', inputs.usedRecipe, ...files, ...(experiment.trainFlags ?? []), '--model', model];
  if (!chosen['score-only']) {
    inputs.prepare();
    const isBegun = existsSync(`${model}/training/run.json`);
    await heed(isBegun ? ['train', '--model', model, '--resume'] : train);
  }
  const { tests, commands } = await scoreTests(model, name);
  const facts = {
    name,
    title: experiment.title,
    ...(await factsOf(model)),
    tests,
    commands: [train, ...commands].map(shown),
  };
  writeReport(chosen.report, facts);
  if (!chosen.bundle) return;
  const folder = `${chosen.report}/models/en-zh`;
  await makeBundledModel({ model, folder, inputs, facts, scoreTests: () => scoreTests(folder, `${name}-int8`) });
}

/** Scores each test; the lines of heed are kept unchanged, with their signatures. */
async function scoreTests(folder, outputName) {
  const tests = [];
  const commands = [];
  for (const [i, test] of experiment.tests.entries()) {
    const output = `${chosen.models}/${outputName}.${i + 1}.out`;
    const scored =
      test.validationOf === undefined ? scoreTranslation(folder, test, output) : scorePrediction(folder, test);
    const scores = await scored.run();
    commands.push(...scored.commands);
    for (const line of scores) console.log(`${test.name}: ${line}`);
    tests.push({ name: test.name, scores });
  }
  return { tests, commands };
}

/** Translates a test and compares it with the reference. */
function scoreTranslation(folder, test, output) {
  const [source, reference] = [inputs.path(test.source), inputs.path(test.reference)];
  const { beam, lengthPenalty } = experiment.search;
  const search = [...(test.direction ?? []), '--beam', beam, '--length-penalty', lengthPenalty].map(String);
  const translate = ['translate', '--model', folder, ...search, '--input', source, '--output', output];
  const items = test.severalReferences ? ['--source', source] : [];
  const evaluate = ['evaluate', '--hypothesis', output, '--reference', reference, ...items, ...test.scoring];
  return {
    commands: [translate, evaluate],
    run: async () => {
      await heed(translate);
      const lines = (await heed(evaluate, { captured: true })).trim().split('\n');
      return lines.map((line) => line.trim());
    },
  };
}

/** How well a language model predicts the held-out part of a text, as a line like those of heed evaluate. */
function scorePrediction(folder, { validationOf }) {
  const text = inputs.prepared(inputs.path(validationOf), 'valid');
  const command = ['score', '--model', folder, '--text', text];
  return {
    commands: [command],
    run: async () => {
      const report = JSON.parse(await heed([...command, '--format', 'jsonl'], { captured: true }));
      const { tokens, characters, perCharacter, perplexity } = report;
      const counts = `tokens:${tokens}|characters:${characters}`;
      return [`nats per character|${counts} = ${perCharacter.toFixed(4)} (perplexity = ${perplexity.toFixed(3)})`];
    },
  };
}

/** A command as it is run with the default folders. */
function shown(args) {
  const standard = [
    [inputs.usedRecipe, `results/${name}.yaml`],
    [model, `.results/${name}`],
    [chosen.models, '.results'],
    [chosen.data, '../shared/data'],
  ];
  const shownArgument = (argument) => {
    const found = standard.find(([folder]) => argument === folder || argument.startsWith(`${folder}/`));
    return found === undefined ? argument : found[1] + argument.slice(found[0].length);
  };
  return ['npx heed', ...args.map(shownArgument)].join(' ');
}
