// How fast decoding is beside CTranslate2, what of its time lies outside the engine's runs, and how it grows with length.
//
//     npm run bench:decode -- [--quick] [--json] [--model DIR] [--python PATH] [--preset NAME]… [--beam N]… [--batch N]…
//                             [--threads N]… [--within-products] [--precision float32|int8]… [--clock wall|cpu]
//
// Both engines get the same batches of token ids (Multi30k's test set; tokenizers are not measured) and the same search:
// no length penalty, the same most positions for all of a batch. They take turns, so that other work on the machine slows
// both; medians throughout. Presets have random weights and outputs as long as their sources; `--model` adds a trained
// float32 model. `--python` names a Python with ctranslate2 4.8, numpy and safetensors; without it only heed is timed.
// Several threads translate a batch each, as `heed translate --threads` has it and as both engines are fastest; with
// `--within-products` they share the products of one batch. `--quick` takes four minutes: beam 4 only, short turns. `--clock cpu`
// counts processor time, which other work on the machine disturbs less; with one thread only, since waiting threads spin.
// Exits 1 if a floor is missed (see `floors`).

import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { batchesOf, randomModel, randomSource, spread, testSentences, trainedModel } from './decode-cases.mjs';
import { ctranslate2, ownEngine, ownWorkers } from './decode-engines.mjs';
import { printReport } from './decode-report.mjs';

const presets = {
  tiny: { dModel: 128, dInner: 256, heads: 4, encoderLayers: 4, decoderLayers: 4 },
  base: {},
};

/**
 * Least speed beside CTranslate2; greatest share of the time outside runs; time of 200-token outputs by that of 100; and
 * least share of sentences with the same tokens in float32, where a near tie may fall either way.
 */
const floors = {
  ratio: (batch) => (batch === 1 ? 0.7 : 0.9),
  outside: (name) => (name === 'base' ? 0.15 : 0.3),
  growth: 2.5,
  agreement: 0.98,
};

const LENGTHS = [100, 200];
const LONGEST = 512;
/** An engine's threads keep spinning for a while after its turn and would slow down the other engine. */
const REST_MS = 250;

const list = (...values) => ({ type: 'string', multiple: true, default: values });
const { values: chosen } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    model: { type: 'string' },
    python: { type: 'string' },
    preset: list(...Object.keys(presets)),
    beam: { type: 'string', multiple: true },
    batch: list('1', '32'),
    threads: list('1', '2'),
    'within-products': { type: 'boolean', default: false },
    precision: list('float32', 'int8'),
    clock: { type: 'string', default: 'wall' },
  },
});
const { rounds, turnSeconds, beams } = chosen.quick
  ? { rounds: 3, turnSeconds: 0.2, beams: ['4'] }
  : { rounds: 5, turnSeconds: 1.5, beams: ['1', '4'] };

const { origin, lines } = await testSentences();
const speeds = [];
const growths = [];
if (chosen.model !== undefined) await measure(await trainedModel(chosen.model, lines));
for (const name of chosen.preset) await measure(await randomModel(name, presets[name], lines));
const missed = missedFloors();
if (chosen.json) console.log(JSON.stringify({ origin, clock: chosen.clock, rounds, speeds, growths, missed }, null, 2));
else printReport({ origin, clock: chosen.clock, rounds, speeds, growths, missed });
if (missed.length > 0) process.exitCode = 1;

async function measure(model) {
  for (const threads of chosen.threads.map(Number)) {
    for (const precision of chosen.precision) {
      const [workers, productThreads] = chosen['within-products'] ? [1, threads] : [threads, 1];
      await measureSetup(model, { threads, workers, productThreads, precision, clock: chosen.clock });
    }
  }
  await model.release();
}

async function measureSetup(model, setup) {
  const { python } = chosen;
  const engines = { heed: setup.workers === 1 ? ownEngine(model, setup) : ownWorkers(model, setup) };
  if (python !== undefined) engines.ctranslate2 = await ctranslate2(model, { ...setup, python, positions: LONGEST });
  for (const batch of chosen.batch.map(Number)) {
    for (const beam of (chosen.beam ?? beams).map(Number)) {
      progress(`${model.name}, ${setup.precision}, threads ${setup.threads}, batch ${batch}, beam ${beam} …`);
      const batches = await turnOf(engines.heed, { all: batchesOf(model, batch), beam, workers: setup.workers });
      const speed = await speedOf(engines, { batches, beam });
      const beside = speed.ratio === undefined ? '' : `, ${speed.ratio.toFixed(2)} of CTranslate2`;
      progress(`  ${speed.tokensPerSecond.toFixed(0)} tokens/s${beside}`);
      speeds.push({ model: model.name, ...setup, batch, beam, ...speed });
    }
  }
  // Only weights that never end an output give it any length that is asked for.
  if (model.name in presets && setup.precision === 'float32' && setup.workers === 1)
    growths.push({ model: model.name, ...setup, ...(await growthOf(engines)) });
  for (const engine of Object.values(engines)) await engine.release();
}

/** As many batches, short and long ones, as make a turn of about `turnSeconds`; the first use of the programs, too. */
async function turnOf(engine, { all, beam, workers }) {
  await engine.translate({ batches: spread(all, 1), beam });
  const { seconds } = await engine.translate({ batches: spread(all, 1), beam });
  const least = 4 * workers; // so that no worker is idle for long at the end
  return spread(all, Math.min(all.length, Math.max(least, Math.ceil((workers * turnSeconds) / seconds))));
}

/** Turns of all engines on one job. The first is not counted. */
async function takeTurns(engines, job) {
  const answers = {};
  for (let round = 0; round <= rounds; round++) {
    for (const [name, engine] of Object.entries(engines)) {
      const answer = await engine.translate(job);
      answers[name] = round === 0 ? [] : [...answers[name], answer];
      await pause(REST_MS);
    }
  }
  return answers;
}

async function speedOf(engines, job) {
  const { heed, ctranslate2: peer } = await takeTurns(engines, job);
  const { outputs } = heed[0];
  const tokens = outputs.reduce((sum, [best]) => sum + best.length, 0);
  const seconds = median(heed.map((answer) => answer.seconds));
  return {
    sentences: outputs.length,
    outputTokens: tokens,
    sentencesPerSecond: outputs.length / seconds,
    tokensPerSecond: tokens / seconds,
    outside: median(heed.map(({ outsideSeconds, busySeconds }) => outsideSeconds / busySeconds)),
    ...(peer === undefined ? {} : comparison(heed, peer)),
  };
}

function comparison(heed, peer) {
  const pairs = heed[0].outputs.map(([best], i) => ({
    agrees: best.join() === peer[0].outputs[i][0].join(),
    scoreDifference: Math.abs(heed[0].scores[i][0] - peer[0].scores[i][0]),
  }));
  const same = pairs.filter(({ agrees }) => agrees);
  const tokens = peer[0].outputs.reduce((sum, [best]) => sum + best.length, 0);
  return {
    peerTokensPerSecond: tokens / median(peer.map((answer) => answer.seconds)),
    // From the two turns of one round, so that other load on the machine affects both.
    ratio: median(heed.map((answer, round) => peer[round].seconds / answer.seconds)),
    agreement: same.length / pairs.length,
    scoreDifference: Math.max(0, ...same.map(({ scoreDifference }) => scoreDifference)),
  };
}

/** How much longer outputs of 200 tokens take than those of 100: one sentence of 25 words, beam 4. */
async function growthOf(engines) {
  progress('outputs of 100 and 200 tokens …');
  const seconds = { heed: [], ctranslate2: [] };
  for (const maxLength of LENGTHS) {
    const job = { batches: [{ sources: [randomSource(25, 0)], maxLength }], beam: 4 };
    for (const [name, answers] of Object.entries(await takeTurns(engines, job)))
      seconds[name].push(median(answers.map((answer) => answer.seconds)));
  }
  const [growth, peerGrowth] = Object.values(seconds).map(([short, long]) => long / short);
  return { seconds: seconds.heed, growth, ...(Number.isNaN(peerGrowth) ? {} : { peerGrowth }) };
}

function missedFloors() {
  const { ratio, outside, growth, agreement } = floors;
  const ofSpeeds = speeds.flatMap((speed) => {
    const at = `${speed.model} ${speed.precision}, threads ${speed.threads}, batch ${speed.batch}, beam ${speed.beam}`;
    return [
      speed.ratio < ratio(speed.batch) && `${at}: ${speed.ratio.toFixed(2)} of CTranslate2`,
      speed.outside > outside(speed.model) && `${at}: ${(100 * speed.outside).toFixed(0)} % outside run`,
      speed.precision === 'float32' &&
        speed.agreement < agreement &&
        `${at}: only ${(100 * speed.agreement).toFixed(0)} % of sentences as in CTranslate2`,
    ];
  });
  const ofGrowths = growths.map(
    (case_) => case_.growth > growth && `${case_.model}: grows ${case_.growth.toFixed(2)}-fold`,
  );
  return [...ofSpeeds, ...ofGrowths].filter(Boolean);
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function progress(text) {
  process.stderr.write(`${text}\n`);
}
