// The code of a pool's worker threads: a translator that processes one call after the other.

import { workerData } from 'node:worker_threads';
import { HeedError } from '../../base/error.ts';
import { answerCalls, type CallContext } from '../../base/worker-calls.ts';
import type { StoredModel } from '../../model/index.ts';
import { loadModel } from '../../model/node.ts';
import { compile, compileShared } from '../../runtime/node/index.ts';
import { Glossary } from '../glossary.ts';
import type { TranslateOptions } from '../options.ts';
import type { Translation } from '../translation.ts';
import { Translator } from '../translator.ts';
import type { ModelFacts, PoolProtocol, SentOptions, StreamTask, TraceTask, WorkerSetup } from './protocol.ts';

interface Loaded {
  readonly model: StoredModel;
  readonly translator: Translator;
}

const { folders, modules, attentionLayer, programs }: WorkerSetup = workerData;
let loading: Promise<Loaded> | undefined;

answerCalls<PoolProtocol>({
  translate: async (task, { signal }) =>
    (await loaded()).translator.translateNumbered(task.lines, received(task, signal)),
  stream: async (task, context) => stream(task, (await loaded()).translator, context),
  trace: async (task, context) => trace(task, await loaded(), context),
  describe: async () => factsOf((await loaded()).model),
});

/** Loads with the first call, so that a loading error is that call's error. */
function loaded(): Promise<Loaded> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Loaded> {
  for (const module of modules) await importModule(module);
  const models = await Promise.all(folders.map((folder) => loadModel(folder)));
  const compileHere = programs === undefined ? compile : compileShared(programs);
  const setup = { compile: compileHere, threads: 1, attentionLayer };
  return { model: models[0], translator: new Translator(models, setup, folders) };
}

async function importModule(url: string): Promise<void> {
  try {
    await import(url);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new HeedError('TranslatorPool', `modules: ${url} cannot be imported: ${reason}`, { cause });
  }
}

async function stream(
  task: StreamTask,
  translator: Translator,
  { signal, report }: CallContext<PoolProtocol['stream']>,
): Promise<Translation> {
  const texts = translator.stream(task.text, received(task, signal));
  for (;;) {
    const { done, value } = await texts.next();
    if (done) return value;
    report(value);
  }
}

/** @throws HeedError for more pieces than allowed */
async function trace(
  task: TraceTask,
  { model, translator }: Loaded,
  { signal, transfer }: CallContext<PoolProtocol['trace']>,
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
  const json = new TextEncoder().encode(JSON.stringify(traced));
  transfer(json.buffer);
  return json;
}

function received<O extends TranslateOptions>({ options, glossary }: SentOptions<O>, signal: AbortSignal) {
  return { ...options, glossary: glossary === undefined ? undefined : new Glossary(glossary), signal };
}

function factsOf({ config, generation, directions, parameters, quantized }: StoredModel): ModelFacts {
  return {
    config,
    generation,
    directions,
    parameters: parameters.parameters.reduce((sum, { data }) => sum + data.length, 0),
    arithmetic: quantized === undefined ? 'float32' : 'int8',
  };
}
