// How fast training is, and whether its memory stays flat.
//
//     npm run bench -- [--quick] [--json] [--preset NAME]… [--threads 2] [--python PATH]
//
// A step is what the trainer does with a batch: draw the dropout masks, run the forward and the backward pass, update the
// weights with Adam. Its speed is put beside that of its bare matrix products (bench/matrix-products.mjs); steps and products
// take turns, so that other work on the machine slows both. Medians throughout. With a Python that has torch, the same
// model is timed there (bench/peers/pytorch.py), and the peak memory of a process of each that does nothing else is put side by
// side (`--peak` is that process of ours). Exits 1 if a step falls below its floor.

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Random } from '../dist/base/random.js';
import { transformerConfig } from '../dist/nn/index.js';
import { compile } from '../dist/runtime/node/index.js';
import { modelGraph } from '../dist/tasks/index.js';
import { Adam, paperAdam, TrainingStep } from '../dist/train/index.js';
import { startAdamThread } from '../dist/train/node.js';
import { bareProgram, matrixProducts, operations } from './matrix-products.mjs';

const VOCABULARY_SIZE = 10_000;
const SENTENCE_LENGTH = 16;

/** Rows of a batch of 16 + 16 tokens, and the least share of the bare products' speed that a step must keep. */
const presets = {
  tiny: { options: { dModel: 128, dInner: 256, heads: 4, encoderLayers: 4, decoderLayers: 4 }, rows: 256, floor: 0.7 },
  small: { options: { dModel: 256, dInner: 512, heads: 8, encoderLayers: 3, decoderLayers: 3 }, rows: 192, floor: 0.6 },
  base: { options: {}, rows: 112, floor: 0.8 },
};

const { values: chosen } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    preset: { type: 'string', multiple: true, default: Object.keys(presets) },
    threads: { type: 'string', default: '2' },
    python: { type: 'string' },
    peak: { type: 'string' },
  },
});
const threads = Number(chosen.threads);
const rounds = chosen.quick ? 3 : 9;

if (chosen.peak !== undefined) {
  console.log(await peakMegabytes(chosen.peak));
  process.exit();
}
const speeds = [];
for (const name of chosen.preset) {
  progress(`${name}: ${rounds} rounds`);
  speeds.push(await speedOf(name));
}
progress('memory');
const memory = await memoryGrowth(chosen.quick ? { steps: 150, settled: 50 } : { steps: 500, settled: 100 });
report();
if (speeds.some(({ ratio, floor }) => ratio < floor)) process.exitCode = 1;

/** Times a step and its bare products in turn. */
async function speedOf(name) {
  const { options, rows, floor } = presets[name];
  const config = configOf(options);
  const sizes = { batch: rows, source: SENTENCE_LENGTH, target: SENTENCE_LENGTH };
  const products = matrixProducts(config, sizes);
  const bare = await bareProgram(compile, products, { threads, restBetweenRuns: true });
  const step = await trainingStep(config);
  const batch = randomBatch(sizes);

  await step(batch);
  await bare.run();
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const { runMs, adamMs } = await step(batch);
    times.push({ runMs, adamMs, stepMs: runMs + adamMs, bareMs: await elapsedMs(bare.run) });
  }
  await bare.release();

  const stepMs = median(times.map((time) => time.stepMs));
  const gigaflops = operations(products) / 1e9;
  const targetTokensPerSecond = (1000 * rows * SENTENCE_LENGTH) / stepMs;
  const peer = chosen.python === undefined ? {} : peerSpeed(name, sizes, targetTokensPerSecond);
  return {
    preset: name,
    targetTokens: rows * SENTENCE_LENGTH,
    targetTokensPerSecond,
    stepMs,
    adamMs: median(times.map((time) => time.adamMs)),
    gigaflopsPerSecond: (1000 * gigaflops) / stepMs,
    bareGigaflopsPerSecond: (1000 * gigaflops) / median(times.map((time) => time.bareMs)),
    ratio: median(times.map((time) => time.bareMs / time.stepMs)),
    floor,
    ...peer,
  };
}

/** Of a process that trains on one batch again and again. */
async function peakMegabytes(name) {
  const step = await trainingStep(configOf(presets[name].options));
  const batch = randomBatch({ batch: presets[name].rows, source: SENTENCE_LENGTH, target: SENTENCE_LENGTH });
  for (let i = 0; i <= rounds; i++) await step(batch);
  return process.resourceUsage().maxRSS / 1000;
}

/** Growth of resident memory over steps of ever new shapes, from when `settled` steps are done. */
async function memoryGrowth({ steps, settled }) {
  const step = await trainingStep(configOf(presets.tiny.options));
  const random = Random.of(1, 'shapes');
  const size = (least, most) => least + random.integer(most - least + 1);
  const next = () => step(randomBatch({ batch: size(4, 40), source: size(4, 30), target: size(4, 30) }));
  for (let i = 0; i < settled; i++) await next();
  const before = process.memoryUsage().rss;
  for (let i = settled; i < steps; i++) await next();
  const after = process.memoryUsage().rss;
  return { steps, settled, residentMegabytes: after / 1e6, growthMegabytes: (after - before) / 1e6 };
}

function configOf(options) {
  return transformerConfig({ ...options, dropout: 0.1 }, { sourceVocabularySize: VOCABULARY_SIZE });
}

/** One update of the weights, as the trainer does it: (batch) → its times. */
async function trainingStep(config) {
  const step = await TrainingStep.compile(compile, modelGraph(buildModel(config, { dropout: true }), 0.1), {
    seed: 1,
    threads,
  });
  const adam = new Adam(step.parameters, paperAdam, threads === 1 ? undefined : startAdamThread);
  let updates = 0;
  return async (batch) => {
    updates++;
    let gradients;
    const runMs = await elapsedMs(async () => {
      ({ gradients } = await step.run(batch, Random.of(1, 'dropout', updates)));
    });
    const adamMs = await elapsedMs(() => adam.update(updates, 1e-4, gradients, 1 / batch.targetTokens));
    return { runMs, adamMs };
  };
}

/** Random words without padding, as a training batch. */
function randomBatch({ batch, source, target }) {
  const random = Random.of(1, 'batch', batch, source, target);
  const ids = (length) => ({
    shape: [batch, length],
    data: Int32Array.from({ length: batch * length }, () => 3 + random.integer(VOCABULARY_SIZE - 3)),
  });
  const inputs = new Map([
    ['source', ids(source)],
    ['target', ids(target)],
  ]);
  return { inputs, expected: ids(target), targetTokens: batch * target };
}

/** The same model and batch in PyTorch. */
function peerSpeed(name, { batch, source, target }, ours) {
  progress(`${name}: PyTorch`);
  const script = fileURLToPath(new URL('peers/pytorch.py', import.meta.url));
  const shape = ['--rows', batch, '--source', source, '--target', target];
  const options = ['--preset', name, '--threads', threads, '--steps', rounds, '--warmup', 1, ...shape];
  const line = execFileSync(chosen.python, [script, ...options.map(String)], { encoding: 'utf8' });
  const { targetTokensPerSecond, peakRssMegabytes } = JSON.parse(line);
  const own = [
    fileURLToPath(import.meta.url),
    '--peak',
    name,
    '--threads',
    `${threads}`,
    ...(chosen.quick ? ['--quick'] : []),
  ];
  const peakMegabytes = Number(execFileSync(process.execPath, own, { encoding: 'utf8' }));
  return {
    peerTargetTokensPerSecond: targetTokensPerSecond,
    timesPeer: ours / targetTokensPerSecond,
    peakMegabytes,
    peerPeakMegabytes: peakRssMegabytes,
    peakRatio: peakMegabytes / peakRssMegabytes,
  };
}

async function elapsedMs(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function progress(text) {
  process.stderr.write(`${text} …\n`);
}

function report() {
  if (chosen.json) {
    console.log(JSON.stringify({ threads, rounds, speeds, memory }, null, 2));
    return;
  }
  const header = ['preset', 'tokens', 'tokens/s', 'step ms', 'Adam ms', 'GFLOP/s', 'bare', 'ratio', 'floor'];
  const rows = speeds.map((speed) => [
    speed.preset,
    speed.targetTokens,
    speed.targetTokensPerSecond.toFixed(0),
    speed.stepMs.toFixed(0),
    speed.adamMs.toFixed(0),
    speed.gigaflopsPerSecond.toFixed(1),
    speed.bareGigaflopsPerSecond.toFixed(1),
    speed.ratio.toFixed(2),
    speed.ratio < speed.floor ? `${speed.floor} missed` : speed.floor,
    ...(speed.timesPeer === undefined ? [] : peerCells(speed)),
  ]);
  if (chosen.python !== undefined) {
    header.push('PyTorch tokens/s', 'heed / PyTorch', 'peak MB', 'PyTorch peak MB', 'heed / PyTorch');
  }
  const widths = header.map((title, i) => Math.max(...[title, ...rows.map((row) => row[i])].map((x) => `${x}`.length)));
  for (const row of [header, ...rows]) console.log(row.map((cell, i) => `${cell}`.padStart(widths[i])).join('  '));
  const { steps, settled, residentMegabytes, growthMegabytes } = memory;
  const grown = `${growthMegabytes.toFixed(0)} MB over steps ${settled + 1}–${steps} of varying shapes`;
  console.log(`\nMemory (tiny): grew by ${grown}; ${residentMegabytes.toFixed(0)} MB at the end. Threads: ${threads}.`);
}

function peerCells({ peerTargetTokensPerSecond, timesPeer, peakMegabytes, peerPeakMegabytes, peakRatio }) {
  const memory = [peakMegabytes.toFixed(0), peerPeakMegabytes.toFixed(0), peakRatio.toFixed(2)];
  return [peerTargetTokensPerSecond.toFixed(0), timesPeer.toFixed(2), ...memory];
}
