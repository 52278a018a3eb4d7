// The two engines of bench/decode.mjs, with one interface: translate batches and measure the time.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { search } from '../dist/decode/index.js';
import { GenerationEngine } from '../dist/generate/index.js';
import { quantizeModel } from '../dist/model/index.js';
import { compile, openSharedPrograms, removeSharedPrograms } from '../dist/runtime/node/index.js';

/**
 * @typedef {import('./decode-cases.mjs').Batch} Batch
 * @typedef {{ batches: Batch[], beam: number, hypotheses?: number }} Job
 * @typedef {object} Answer
 * @property {number} seconds
 * @property {number} [outsideSeconds]  outside of runs, of all threads
 * @property {number} [busySeconds]  of all threads
 * @property {number[][][]} outputs  of each sentence its hypotheses, best first
 * @property {number[][]} scores  their log-probabilities
 * @typedef {{ translate: (job: Job) => Promise<Answer>, release: () => Promise<void> }} BenchEngine
 * @typedef {{ workers: number, productThreads: number, precision: 'float32' | 'int8', clock: 'wall' | 'cpu' }} Setup
 *   workers: batches at once; productThreads: threads within an operator
 */

/** Sentences of a worker's task, if there are enough for several tasks each: `heed translate` sends many lines at a time, too. */
const TASK_SENTENCES = 16;
const TASKS_PER_WORKER = 4;
/** Tasks that are sent to each worker ahead of time, so that none waits for the next one. */
const QUEUED = 2;

/** Seconds since some moment. */
const clocks = {
  wall: () => performance.now() / 1000,
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  },
};

/**
 * heed's own engine and search, without tokenizers. Outside is whatever is not within `Program.run`.
 * @param {import('./decode-cases.mjs').BenchModel} model
 * @param {Setup} setup
 * @param {typeof compile} [compileFor]
 * @returns {BenchEngine}
 */
export function ownEngine(model, { productThreads: threads, precision, clock }, compileFor = compile) {
  const now = clocks[clock];
  const { config, startId, endId } = model;
  const { parameters, quantized } = precision === 'int8' ? quantizeModel(model) : model;
  let runSeconds = 0;
  const timedCompile = async (outputs, options) => {
    const program = await compileFor(outputs, options);
    return {
      run: async (feeds) => {
        const start = now();
        const results = await program.run(feeds);
        runSeconds += now() - start;
        return results;
      },
      release: () => program.release(),
    };
  };
  const engine = new GenerationEngine(
    { config, parameters, quantized },
    { compile: timedCompile, startId, endId, threads },
  );

  async function translate({ batches, beam, hypotheses = 1 }) {
    runSeconds = 0;
    const results = [];
    const start = now();
    for (const { sources, maxLength } of batches) {
      const running = await engine.start(sources);
      const sentences = sources.map((source) => ({ sourceLength: source.length }));
      const options = { beam, nBest: hypotheses, lengthPenalty: 'none', maxLength, maxLengthExtra: maxLength };
      results.push(...(await search(running, sentences, options)));
      running.release();
    }
    const seconds = now() - start;
    return {
      seconds,
      outsideSeconds: seconds - runSeconds,
      busySeconds: seconds,
      outputs: results.map((result) => result.hypotheses.map(({ tokens }) => [...tokens])),
      scores: results.map((result) => result.hypotheses.map(({ score }) => score)),
    };
  }
  return { translate, release: () => engine.release() };
}

/**
 * Several engines in worker threads, as in `heed translate` by default: an idle one takes the next batch.
 * @returns {BenchEngine}
 */
export function ownWorkers(model, setup) {
  const programs = openSharedPrograms();
  const workerData = { origin: model.origin, setup, programs };
  const workers = Array.from({ length: setup.workers }, () => {
    return new Worker(new URL('decode-worker.mjs', import.meta.url), { workerData });
  });

  async function translate({ batches, ...search }) {
    const most = Math.ceil(TASK_SENTENCES / batches[0].sources.length);
    const size = Math.min(most, Math.ceil(batches.length / (TASKS_PER_WORKER * workers.length)));
    const tasks = Array.from({ length: Math.ceil(batches.length / size) }, (_, place) => {
      return { place, batches: batches.slice(place * size, (place + 1) * size), ...search };
    });
    const answers = new Array(tasks.length);
    const unsent = tasks.values();
    let unanswered = tasks.length;
    const sendNext = (worker) => {
      const { value: task, done } = unsent.next();
      if (!done) worker.postMessage(task);
    };
    const start = performance.now();
    await new Promise((resolve) => {
      for (const worker of workers) {
        worker.removeAllListeners('message').on('message', ({ place, answer }) => {
          answers[place] = answer;
          sendNext(worker);
          if (--unanswered === 0) resolve();
        });
        for (let i = 0; i < QUEUED; i++) sendNext(worker);
      }
    });
    const seconds = (performance.now() - start) / 1000;
    const sum = (of) => answers.reduce((total, answer) => total + of(answer), 0);
    return {
      seconds,
      outsideSeconds: sum((answer) => answer.outsideSeconds),
      busySeconds: sum((answer) => answer.busySeconds),
      outputs: answers.flatMap((answer) => answer.outputs),
      scores: answers.flatMap((answer) => answer.scores),
    };
  }
  async function release() {
    await Promise.all(workers.map((worker) => worker.terminate()));
    if (programs !== undefined) removeSharedPrograms(programs);
  }
  return { translate, release };
}

/**
 * CTranslate2 in a Python of its own (bench/peers/ctranslate2.py), which stays loaded between jobs.
 * @param {import('./decode-cases.mjs').BenchModel} model
 * @param {Setup & { python: string, positions: number }} setup
 * @returns {Promise<BenchEngine>}
 */
export async function ctranslate2(
  { folder, startId, endId },
  { python, workers, productThreads: threads, precision, clock, positions },
) {
  const options = {
    model: folder,
    threads,
    workers,
    clock,
    'compute-type': precision,
    ...{ 'start-id': startId, 'end-id': endId, positions },
  };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`]);
  const peer = spawn(python, ['-m', 'bench.peers.ctranslate2', ...flags], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exit = once(peer, 'exit');
  const answers = createInterface({ input: peer.stdout })[Symbol.asyncIterator]();
  const nextAnswer = async () => {
    const { value, done } = await answers.next();
    if (done) throw new Error('CTranslate2 ended early; its message stands above.');
    return JSON.parse(value);
  };
  await nextAnswer(); // its version: the model is loaded

  return {
    translate({ batches, beam, hypotheses = 1 }) {
      const plain = batches.map(({ sources, maxLength }) => ({ sources: sources.map((ids) => [...ids]), maxLength }));
      peer.stdin.write(`${JSON.stringify({ batches: plain, beam, hypotheses })}\n`);
      return nextAnswer();
    },
    async release() {
      peer.stdin.end();
      await exit;
    },
  };
}
