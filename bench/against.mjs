// How fast this build is beside another one, such as that of the commit before: training, decoding, serving, loading.
//
//     npm run bench:against -- --build OTHER/dist [--only train|decode|serve|load]… [--rounds 5] [--seconds 1]
//
// Both take turns, so that other work on the machine slows both; each figure is the median over the rounds of this build's speed
// by the other's. The models are made by the other build, so that it can read them. Sentences are Multi30k's test set where it is at
// hand. Exits 1 if a ratio is below 0.97.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median, run, serving, trainingSpeed, translating, wordCorpus } from './against/cases.mjs';
import { testSentences } from './decode-cases.mjs';

const FLOOR = 0.97;

const { values: chosen } = parseArgs({
  options: {
    build: { type: 'string' },
    only: { type: 'string', multiple: true, default: ['train', 'decode', 'serve', 'load'] },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
  },
});
if (chosen.build === undefined) {
  console.error('usage: npm run bench:against -- --build OTHER/dist');
  process.exit(2);
}
const builds = [fileURLToPath(new URL('../dist', import.meta.url)), resolve(chosen.build)];
const [rounds, seconds] = [Number(chosen.rounds), Number(chosen.seconds)];
const { lines: sentences } = await testSentences();
const folder = mkdtempSync(join(tmpdir(), 'heed-against-'));
const corpus = wordCorpus(folder, sentences);
const models = await makeModels();
const missed = [];

if (chosen.only.includes('train')) {
  for (const preset of ['tiny', 'small']) {
    await compare(`train, ${preset}, 2 threads`, (dist) =>
      trainingSpeed(dist, corpus, { preset, steps: 60, threads: 2 }),
    );
  }
}
if (chosen.only.includes('decode'))
  for (const [name, model] of Object.entries(models)) await compareDecoding(name, model);
if (chosen.only.includes('serve')) {
  const servers = await Promise.all(builds.map((dist) => serving(dist, models['tiny float32'], sentences)));
  for (const clients of [1, 64]) {
    await compare(`serve, ${clients} clients`, (_, i) => servers[i].rate({ clients, seconds: 3 * seconds }));
  }
  for (const server of servers) await server.end();
}
if (chosen.only.includes('load')) {
  for (const [name, model] of Object.entries(models)) {
    for (const part of ['load', 'first']) {
      await compare(`${part === 'load' ? 'loading' : 'first translation'}, ${name}`, async (dist) => {
        const process = await translating(dist, model, 1);
        await process.end();
        return 1 / process.start[part];
      });
    }
  }
}
rmSync(folder, { recursive: true });
if (missed.length > 0) {
  console.log(`below ${FLOOR}: ${missed.join('; ')}`);
  process.exit(1);
}

/** Models of some updates, by the other build. */
async function makeModels() {
  const [, other] = builds;
  const [tiny, tinyInt8] = ['tiny', 'tiny-int8'].map((name) => join(folder, name));
  const flags = [
    '--preset',
    'tiny',
    '--steps',
    '3',
    '--patience',
    '0',
    '--merges',
    '2000',
    '--source-language',
    'en',
    '--target-language',
    'de',
  ];
  await run(other, ['train', '--source', corpus.source, '--target', corpus.target, ...flags, '--model', tiny]);
  await run(other, ['quantize', '--model', tiny, '--output', tinyInt8]);
  return { 'tiny float32': tiny, 'tiny int8': tinyInt8 };
}

/** One process at a time: of two that are alive, the one started last is some percent faster, whichever build it is. */
async function compareDecoding(name, model) {
  for (const batch of [1, 32]) {
    for (const beam of [1, 4]) {
      const request = { lines: sentences.slice(0, 64), options: { beam, batch, maxLengthExtra: 0 } };
      await compare(`decode, ${name}, batch ${batch}, beam ${beam}`, async (dist) => {
        const process = await translating(dist, model, 1);
        await process.speed({ ...request, seconds: 0 }); // to warm up
        const speed = await process.speed({ ...request, seconds });
        await process.end();
        return speed;
      });
    }
  }
}

/** @param measure of a build: a speed, the higher the better */
async function compare(title, measure) {
  const ratios = [];
  const speeds = [];
  for (let round = 0; round < rounds; round++) {
    // Who is first changes.
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    const pair = [];
    for (const i of order) pair[i] = await measure(builds[i], i);
    ratios.push(pair[0] / pair[1]);
    speeds.push(pair);
  }
  const ratio = median(ratios);
  if (ratio < FLOOR) missed.push(title);
  const medians = [0, 1].map((i) => median(speeds.map((pair) => pair[i])).toPrecision(4));
  console.log(
    `${title}: ${ratio.toFixed(3)} (${medians[0]} and ${medians[1]}; ${ratios.map((x) => x.toFixed(2)).join(' ')})`,
  );
}
