// What runs in a worker thread of the pool: a translator that does one task after the other.

import { parentPort, workerData } from 'node:worker_threads';
import { HeedError } from '../base/error.ts';
import { sentError } from '../base/sent-error.ts';
import type { StoredModel } from '../model/index.ts';
import { loadModel } from '../model/node.ts';
import { compile, compileShared } from '../runtime/node/index.ts';
import { Glossary } from './glossary.ts';
import type { TranslateOptions } from './options.ts';
import type {
  FromWorker,
  ModelFacts,
  SentOptions,
  StreamTask,
  Task,
  TaskResults,
  ToWorker,
  TraceTask,
  WorkerSetup,
} from './pool-messages.ts';
import type { Translation } from './translation.ts';
import { Translator } from './translator.ts';

interface Loaded {
  readonly model: StoredModel;
  readonly translator: Translator;
}

const { folders, attentionLayer, programs }: WorkerSetup = workerData;
// Loaded with the first task, so that a model that cannot be loaded is that task's error.
let loaded: Promise<Loaded> | undefined;
let stop = new AbortController();

parentPort?.on('message', async (message: ToWorker) => {
  if (message === 'abort') {
    stop.abort();
    return;
  }
  stop = new AbortController();
  say(await answerTo(message, stop.signal));
});

function say(message: FromWorker): void {
  parentPort?.postMessage(message, bytesOf(message));
}

/** What changes threads instead of being copied. */
function bytesOf(message: FromWorker): ArrayBuffer[] {
  const isBytes = 'result' in message && message.result instanceof Uint8Array;
  return isBytes ? [(message.result as TaskResults['trace']).buffer] : [];
}

async function answerTo(task: Task, signal: AbortSignal): Promise<FromWorker> {
  try {
    loaded ??= load();
    return { result: await resultOf(task, await loaded, signal) };
  } catch (error) {
    return { error: sentError(error) };
  }
}

async function load(): Promise<Loaded> {
  const models = await Promise.all(folders.map((folder) => loadModel(folder)));
  const compileHere = programs === undefined ? compile : compileShared(programs);
  const setup = { compile: compileHere, threads: 1, attentionLayer };
  return { model: models[0], translator: new Translator(models, setup, folders) };
}

async function resultOf(task: Task, loaded: Loaded, signal: AbortSignal): Promise<TaskResults[Task['kind']]> {
  const { model, translator } = loaded;
  switch (task.kind) {
    case 'translate':
      return translator.translateNumbered(task.lines, received(task, signal));
    case 'stream':
      return stream(task, translator, signal);
    case 'trace':
      return trace(task, loaded, signal);
    case 'describe':
      return factsOf(model);
  }
}

async function stream(task: StreamTask, translator: Translator, signal: AbortSignal): Promise<Translation> {
  const texts = translator.stream(task.text, received(task, signal));
  for (;;) {
    const { done, value } = await texts.next();
    if (done) return value;
    say({ text: value });
  }
}

/** @throws HeedError for more pieces than are allowed */
async function trace(
  task: TraceTask,
  { model, translator }: Loaded,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const { text, options, maxPieces } = task;
  const { translation = '' } = options;
  const pieces = {
    text: model.sourceTokenizer.encode(text).length,
    translation:
      typeof translation === 'string' ? model.targetTokenizer.encode(translation).length : translation.length,
  };
  for (const [name, count] of Object.entries(pieces))
    if (count > maxPieces) throw new HeedError('trace', `${name} must have ${maxPieces} pieces at most, got ${count}.`);
  const maxLength = Math.min(options.maxLength ?? maxPieces, maxPieces);
  const traced = await translator.trace(text, { ...received(task, signal), maxLength });
  return new TextEncoder().encode(JSON.stringify(traced));
}

function received<O extends TranslateOptions>({ options, glossary }: SentOptions<O>, signal: AbortSignal) {
  return { ...options, glossary: glossary === undefined ? undefined : new Glossary(glossary), signal };
}

function factsOf({ config, generation, directions, parameters, quantized }: StoredModel): ModelFacts {
  return {
    ...{ config, generation, directions },
    parameters: parameters.parameters.reduce((sum, { data }) => sum + data.length, 0),
    arithmetic: quantized === undefined ? 'float32' : 'int8',
  };
}
