// The server under load: requests per second and latency with 1, 16 and 64 clients; the gain of batching over one sentence at a
// time, and over one sentence for each worker; the latency of /health while long texts are translated; and the growth of memory.
//
//     npm run bench:serve -- [--quick] [--json] [--model FOLDER] [--direction en-de] [--requests 20000]
//
// Without --model it uses a model of the preset `tiny`'s size with random weights, whose outputs are as long as their
// sources; then there is no need for data. `--quick` takes about a minute. Exits 1 if a floor is missed (see `floors`).

import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { testSentences } from '../decode-cases.mjs';
import { randomModelFolder, startServer } from './server.mjs';

/** Gain over one sentence at a time at 64 clients; slowest 1 % of /health in milliseconds; growth of memory over the last half. */
const floors = { gain: 3, healthMs: 50, growth: 0.1 };

const { values: chosen } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    model: { type: 'string' },
    direction: { type: 'string', default: 'en-de' },
    requests: { type: 'string' },
  },
});
const seconds = chosen.quick ? 4 : 20;
const memoryRequests = Number(chosen.requests ?? (chosen.quick ? 500 : 20_000));
const { lines: texts } = await testSentences();
const model = `${chosen.direction}=${chosen.model ?? (await randomModelFolder(texts))}`;
const [source, target] = chosen.direction.split('-');

const body = (q) => JSON.stringify({ q, source, target });
const long = body(Array.from({ length: 400 }, (_, i) => texts[i % texts.length]).join('\n'));

/** Requests one after the other, each with another sentence. */
async function load(url, { clients, duration, amount }) {
  let next = 0;
  const result = await autocannon({
    url: `${url}/translate`,
    connections: clients,
    ...(amount === undefined ? { duration } : { amount }),
    timeout: 120,
    requests: [
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        setupRequest: (request) => ({ ...request, body: body(texts[next++ % texts.length]) }),
      },
    ],
  });
  const failed = result.non2xx + result.errors;
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests failed`);
  return {
    clients,
    requestsPerSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}

/** Latency of /health in milliseconds, requested every 20 ms while long texts are translated. */
async function healthUnderLoad(url) {
  const times = [];
  let isBusy = true;
  const headers = { 'content-type': 'application/json' };
  const busy = Promise.all(
    [0, 1, 2, 3].map(async () => {
      const end = Date.now() + seconds * 1000;
      while (Date.now() < end) await (await fetch(`${url}/translate`, { method: 'POST', headers, body: long })).text();
    }),
  ).then(() => {
    isBusy = false;
  });
  while (isBusy) {
    const start = performance.now();
    await (await fetch(`${url}/health`)).text();
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await busy;
  times.sort((a, b) => a - b);
  return { requests: times.length, p50Ms: times[times.length >> 1], p99Ms: times[Math.floor(times.length * 0.99)] };
}

/** Resident memory in megabytes after each tenth of the requests. */
async function memory(server) {
  const megabytes = [];
  for (let part = 0; part < 10; part++) {
    await load(server.url, { clients: 16, amount: Math.ceil(memoryRequests / 10) });
    megabytes.push(await server.residentMegabytes());
  }
  return { requests: memoryRequests, megabytes, growth: megabytes[9] / megabytes[4] - 1 };
}

const server = await startServer([model]);
await load(server.url, { clients: 16, duration: 2 });
const batched = [];
for (const clients of [1, 16, 64]) batched.push(await load(server.url, { clients, duration: seconds }));
const health = await healthUnderLoad(server.url);
const flat = await memory(server);
await server.stop();

// A batch of one token is one sentence.
const unbatched = ['--batch-tokens', '1', '--batch-wait-ms', '0'];
const oneForEachWorker = await loadOf(unbatched);
const oneAtATime = await loadOf([...unbatched, '--workers', '1']);

/** 64 clients of a server with these flags. */
async function loadOf(flags) {
  const single = await startServer([model], flags);
  await load(single.url, { clients: 16, duration: 2 });
  const result = await load(single.url, { clients: 64, duration: seconds });
  await single.stop();
  return result;
}

const gainOver = ({ requestsPerSecond }) => batched[2].requestsPerSecond / requestsPerSecond;
const gain = gainOver(oneAtATime);
const workersGain = gainOver(oneForEachWorker);
if (chosen.json)
  console.log(JSON.stringify({ batched, oneAtATime, oneForEachWorker, gain, workersGain, health, memory: flat }));
else {
  const row = (name, { requestsPerSecond, p50Ms, p99Ms }) =>
    console.log(
      `${name.padEnd(28)} ${requestsPerSecond.toFixed(1).padStart(8)} requests/s  p50 ${p50Ms} ms  p99 ${p99Ms} ms`,
    );
  for (const result of batched) row(`${result.clients} clients`, result);
  row('64 clients, one for a worker', oneForEachWorker);
  row('64 clients, one at a time', oneAtATime);
  console.log(`over one at a time           ×${gain.toFixed(2)} (floor ${floors.gain})`);
  console.log(`over one for a worker        ×${workersGain.toFixed(2)}`);
  console.log(
    `/health under load           p50 ${health.p50Ms.toFixed(1)} ms  p99 ${health.p99Ms.toFixed(1)} ms (ceiling ${floors.healthMs})`,
  );
  console.log(`memory over ${flat.requests} requests   ${flat.megabytes.map(Math.round).join(' ')} MB`);
}
const isMissed = gain < floors.gain || health.p99Ms > floors.healthMs || flat.growth > floors.growth;
if (isMissed) process.exitCode = 1;
