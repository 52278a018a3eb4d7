// What runs in a worker thread of the pool: a translator that does one task after the other.

import { parentPort, workerData } from 'node:worker_threads';
import { isHeedError } from '../base/error.ts';
import type { StoredModel } from '../model/index.ts';
import { loadModel } from '../model/node.ts';
import { compile } from '../runtime/node.ts';
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
  WorkerSetup,
} from './pool-messages.ts';
import type { Translation } from './translation.ts';
import { Translator } from './translator.ts';

interface Loaded {
  readonly model: StoredModel;
  readonly translator: Translator;
}

const { folders, attentionLayer }: WorkerSetup = workerData;
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
  parentPort?.postMessage(message);
}

async function answerTo(task: Task, signal: AbortSignal): Promise<FromWorker> {
  try {
    loaded ??= load();
    return { result: await resultOf(task, await loaded, signal) };
  } catch (error) {
    return { error: described(error) };
  }
}

async function load(): Promise<Loaded> {
  const models = await Promise.all(folders.map((folder) => loadModel(folder)));
  return { model: models[0], translator: new Translator(models, { compile, threads: 1, attentionLayer }, folders) };
}

async function resultOf(
  task: Task,
  { model, translator }: Loaded,
  signal: AbortSignal,
): Promise<TaskResults[Task['kind']]> {
  switch (task.kind) {
    case 'translate':
      return translator.translateNumbered(task.lines, received(task, signal));
    case 'stream':
      return stream(task, translator, signal);
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

function received({ options, glossary }: SentOptions, signal: AbortSignal): TranslateOptions {
  return { ...options, glossary: glossary === undefined ? undefined : new Glossary(glossary), signal };
}

function factsOf({ config, generation, directions, parameters, quantized }: StoredModel): ModelFacts {
  return {
    ...{ config, generation, directions },
    parameters: parameters.parameters.reduce((sum, { data }) => sum + data.length, 0),
    arithmetic: quantized === undefined ? 'float32' : 'int8',
  };
}

function described(error: unknown): { message: string; place?: string } {
  if (isHeedError(error)) return { place: error.place, message: error.message.slice(error.place.length + 2) };
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
