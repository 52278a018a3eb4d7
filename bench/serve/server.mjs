// For the load bench: a server in a process of its own, and a model that needs no data.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { batchLogits, buildModel, transformerConfig } from '../../dist/architectures/index.js';
import { saveModel } from '../../dist/model/node.js';
import { ParameterSet, parametersOf } from '../../dist/runtime/index.js';
import { learnTokenizer } from '../../dist/text/index.js';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** heed serve on a free port, ready to answer. */
export async function startServer(models, flags = []) {
  const args = [main, 'serve', '--model', ...models, '--port', '0', '--max-requests', '1000', ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface({ input: child.stderr })) {
    const url = line.match(/listening on (\S+)/)?.[1];
    if (url !== undefined) return running(child, url);
    console.error(line);
  }
  throw new Error('heed serve did not start');
}

function running(child, url) {
  child.stderr.resume();
  return {
    url,
    residentMegabytes: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Number(status.match(/VmRSS:\s+(\d+)/)[1]) / 1024;
    },
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** A model of the size of preset `tiny` with random weights. Its outputs never end by themselves: they are cut at the source's length. */
export async function randomModelFolder(lines) {
  const tokenizer = learnTokenizer(lines, { merges: 8000 });
  const config = transformerConfig(
    { dModel: 128, dInner: 256, heads: 4, encoderLayers: 4, decoderLayers: 4 },
    { sourceVocabularySize: tokenizer.size },
  );
  const parameters = ParameterSet.initialize(parametersOf([batchLogits(buildModel(config))]), 1);
  const folder = mkdtempSync(join(tmpdir(), 'heed-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  await saveModel(folder, {
    config,
    parameters,
    sourceTokenizer: tokenizer,
    targetTokenizer: tokenizer,
    directions: [],
    training: {},
    generation: { beam: 4, maxLengthExtra: 0 },
  });
  return folder;
}
