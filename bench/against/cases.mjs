// What bench/against.mjs measures of a build, each through interfaces that every build has: the library and the command line.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';

const workerFile = fileURLToPath(new URL('./worker.mjs', import.meta.url));

/** A build's process that translates; `speed` resolves to sentences per second. */
export async function translating(dist, folder, threads) {
  const child = spawn(process.execPath, [workerFile, dist, folder, String(threads)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value);
  const start = await next();
  return {
    start,
    async speed(request) {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      return (await next()).sentencesPerSecond;
    },
    async end() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

/** Target tokens per second of a training run, the median of its reports but the first. */
export async function trainingSpeed(dist, corpus, { preset, steps, threads }) {
  const folder = mkdtempSync(join(tmpdir(), 'heed-against-'));
  const model = join(folder, 'model');
  const flags = [
    '--preset',
    preset,
    '--merges',
    '2000',
    '--steps',
    steps,
    '--threads',
    threads,
    '--log-every',
    '10',
    '--patience',
    '0',
  ];
  const files = ['--source', corpus.source, '--target', corpus.target, '--save-every', '0'];
  await run(dist, ['train', ...files, ...flags.map(String), '--model', model]);
  const records = readFileSync(join(model, 'training', 'speed.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map(JSON.parse);
  rmSync(folder, { recursive: true });
  return median(records.slice(1).map(({ targetTokensPerSecond }) => targetTokensPerSecond));
}

/** A build's server; `rate` resolves to requests per second of so many clients. */
export async function serving(dist, folder, texts) {
  const port = await freePort();
  const args = ['serve', '--model', `en-de=${folder}`, '--port', String(port), '--requests-per-minute', '0'];
  const child = spawn(process.execPath, [join(dist, 'cli/main.js'), ...args], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; ; attempt++) {
    const healthy = await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (healthy) break;
    if (attempt > 200) throw new Error(`the server of ${dist} does not answer`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    async rate({ clients, seconds }) {
      let next = 0;
      const result = await autocannon({
        url: `${url}/translate`,
        connections: clients,
        duration: seconds,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        setupClient: (client) => {
          const body = () => JSON.stringify({ q: texts[next++ % texts.length], source: 'en', target: 'de' });
          client.setBody(body());
          client.on('response', () => client.setBody(body()));
        },
      });
      if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`);
      return result.requests.average;
    },
    async end() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** A command of a build, to its end. */
export async function run(dist, args) {
  const child = spawn(process.execPath, [join(dist, 'cli/main.js'), ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let messages = '';
  child.stderr.on('data', (data) => {
    messages += data;
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`heed ${args[0]} of ${dist} ended with ${code}: ${messages}`);
}

/** Two files of sentences, the second of which translates each word by itself: enough to train on for a while. */
export function wordCorpus(folder, sentences) {
  const files = { source: join(folder, 'source'), target: join(folder, 'target') };
  writeFileSync(files.source, `${sentences.join('\n')}\n`);
  writeFileSync(files.target, `${sentences.map((line) => line.toUpperCase()).join('\n')}\n`);
  return files;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
