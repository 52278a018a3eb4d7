// One build of heed in a process of its own, for bench/against.mjs: it loads a model and translates when it is told to.
//
//     node bench/against/worker.mjs DIST FOLDER THREADS
//
// Reads a JSON request a line, { lines, options, seconds }, and answers with { sentencesPerSecond }. Its first line says how long
// loading took, and how long the first translation: { load, first } in seconds.

import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [dist, folder, threads] = process.argv.slice(2);
const { Translator } = await import(pathToFileURL(`${dist}/index.js`).href);
const began = performance.now();
const translator = await Translator.load(folder, { threads: Number(threads) });
const loaded = performance.now();
await translator.translate('A dog runs across the grass.', { maxLengthExtra: 0 });
answer({ load: (loaded - began) / 1000, first: (performance.now() - loaded) / 1000 });

for await (const request of createInterface({ input: process.stdin })) {
  const { lines, options, seconds } = JSON.parse(request);
  answer({ sentencesPerSecond: await speed(lines, options, seconds) });
}

/** Whole passes over the lines until the time is over. A batch of one: each line by itself. */
async function speed(lines, { batch, ...options }, seconds) {
  const parts = Array.from({ length: Math.ceil(lines.length / batch) }, (_, i) =>
    lines.slice(i * batch, (i + 1) * batch),
  );
  const start = performance.now();
  let done = 0;
  do {
    for (const part of parts) {
      await translator.translateAll(part, { ...options, batchTokens: batch === 1 ? 1 : 1e9 });
      done += part.length;
    }
  } while (performance.now() - start < 1000 * seconds);
  return (1000 * done) / (performance.now() - start);
}

function answer(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
