// What a large corpus costs before its first step: encoding once, then opening the cache, an epoch's order, reading batches.
//
//     node bench/large-corpus.mjs --source train.en --target train.de --pairs 29000 --pairs 290000 [--folder DIR]
//
// The corpus is the given text repeated and permuted with random edits, as many pairs as asked for; the tokenizer is learned
// from the text as it is. Each size runs in a process of its own, so that its memory is its own.

import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Random } from '../dist/base/random.js';
import { encodePairs, fileHash, makeCache, openCache, readPairs } from '../dist/data/index.js';
import { PairBatches } from '../dist/tasks/index.js';
import { learnTokenizer, splitLines } from '../dist/text/index.js';

const { values: chosen } = parseArgs({
  options: {
    source: { type: 'string' },
    target: { type: 'string' },
    pairs: { type: 'string', multiple: true, default: ['29000', '290000'] },
    folder: { type: 'string' },
    one: { type: 'boolean', default: false },
  },
});

if (chosen.one) await measure(Number(chosen.pairs[0]), chosen.folder);
else {
  const folder = mkdtempSync(join(chosen.folder ?? tmpdir(), 'heed-large-'));
  for (const pairs of chosen.pairs) {
    const given = ['--source', chosen.source, '--target', chosen.target, '--pairs', pairs, '--folder', folder, '--one'];
    execFileSync(process.execPath, [fileURLToPath(import.meta.url), ...given], { stdio: 'inherit' });
  }
  rmSync(folder, { recursive: true });
}

async function measure(count, folder) {
  const [sources, targets] = [await linesOf(chosen.source), await linesOf(chosen.target)];
  const tokenizer = learnTokenizer([...sources, ...targets], { merges: 10_000 });
  const files = { source: join(folder, `${count}.source`), target: join(folder, `${count}.target`) };
  await writeEdited(sources, files.source, count);
  await writeEdited(targets, files.target, count);
  mkdirSync(join(folder, String(count)), { recursive: true });
  const cache = join(folder, String(count), 'cache');
  const encode = (text) => tokenizer.encode(text);
  const fill = async (sink) => [
    await encodePairs(readPairs(files), sink, { encodeSource: encode, encodeTarget: encode }),
  ];
  const encoding = await timed(async () => (await makeCache(cache, tokenizer.size, fill)).pairs.close());
  const hashing = await timed(() => Promise.all([fileHash(files.source), fileHash(files.target)]));
  const opening = await timed(() => openCache(cache));
  const { pairs } = opening.result;
  const ids = { source: tokenizer, target: tokenizer };
  const batches = new PairBatches({ pairs, ids, maxTokens: 4096, seed: 1 });
  const ordering = await timed(() => batches.epoch(1).batches);
  const chosenBatches = ordering.result.slice(0, 200);
  const reading = await timed(() => chosenBatches.map((indices) => batches.read(indices, 1).length));
  console.log(
    [
      `${count} pairs: encoded in ${encoding.seconds.toFixed(1)} s`,
      `inputs hashed in ${hashing.seconds.toFixed(1)} s`,
      `cache opened in ${opening.seconds.toFixed(2)} s`,
      `epoch ordered in ${ordering.seconds.toFixed(2)} s (${ordering.result.length} batches)`,
      `a batch read in ${((1000 * reading.seconds) / chosenBatches.length).toFixed(2)} ms`,
      `padding ${(100 * batches.padding(1)).toFixed(2)} %`,
      `resident ${Math.round(process.memoryUsage().rss / 1e6)} MB`,
      `peak ${Math.round(process.resourceUsage().maxRSS / 1e3)} MB`,
    ].join(', '),
  );
}

async function linesOf(path) {
  return splitLines(await readFile(path, 'utf8'));
}

/** The lines again and again, each with two neighbouring words swapped; both sides of a pair stay side by side. */
async function writeEdited(lines, path, count) {
  const order = Random.of(1, 'order');
  const random = Random.of(1, path);
  const file = createWriteStream(path);
  for (let i = 0; i < count; i++) {
    const words = lines[order.integer(lines.length)].split(' ');
    const place = random.integer(Math.max(1, words.length - 1));
    words.splice(place, 2, ...words.slice(place, place + 2).reverse());
    if (!file.write(`${words.join(' ')}\n`)) await new Promise((resolve) => file.once('drain', resolve));
  }
  file.end();
  await finished(file);
}

async function timed(work) {
  const start = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - start) / 1000 };
}
