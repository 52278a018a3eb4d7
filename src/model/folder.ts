// Model folders, in formats of the ecosystem. Loading writes nothing; saving is atomic.

import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HeedError } from '../base/error.ts';
import { errorCode, fileError } from '../base/file-error.ts';
import { changeFiles, removePartials } from './atomic.ts';
import { fileNames, formatModel, type ModelFiles, parseModel, type TokenizerFiles } from './model-files.ts';
import type { StoredModel } from './stored-model.ts';

const tokenizerNames = [fileNames.tokenizer, fileNames.sourceTokenizer, fileNames.targetTokenizer];

export interface SaveOptions {
  /** The text of README.md (see `modelCard`); default: a README.md that is there stays. */
  card?: string;
}

/**
 * Writes a model into a folder, which is created if needed. Replaces the model in it; other files are kept.
 *
 * config.json is what makes a folder a model, and comes last. Killed at any moment, the folder holds the old model or
 * the new one: architecture, tokenizers and weights are of one save (records and decoding defaults may be of the other).
 * Only where a model of another architecture or tokenizer was being replaced, a kill within the microseconds of renaming
 * leaves no config.json, which `loadModel` reports.
 * @throws HeedError if a file cannot be written, or the tokenizers do not fit the configuration
 */
export async function saveModel(folder: string, model: StoredModel, { card }: SaveOptions = {}): Promise<void> {
  const files = namedFiles(formatModel(model), card);
  try {
    await mkdir(folder, { recursive: true });
    await removePartials(folder);
  } catch (cause) {
    throw fileError(folder, 'cannot be used as a model folder', cause);
  }
  await changeFiles(folder, {
    files,
    seal: fileNames.config,
    breaking: await holdsAnotherModel(folder, files),
    obsolete: tokenizerNames.filter((name) => !files.has(name)),
  });
}

/**
 * Reads a model folder.
 * @throws HeedError naming the folder or file and what is wrong with it
 */
export async function loadModel(folder: string): Promise<StoredModel> {
  return parseModel(await readModelFiles(folder), folder);
}

async function readModelFiles(folder: string): Promise<ModelFiles> {
  const names = await listFolder(folder);
  checkIsModel(folder, names);
  const tokenizers = await readTokenizers(folder, names);
  return {
    config: await readText(join(folder, fileNames.config)),
    weights: await readBytes(join(folder, fileNames.weights)),
    tokenizers,
    generation: names.has(fileNames.generation) ? await readText(join(folder, fileNames.generation)) : undefined,
  };
}

async function listFolder(folder: string): Promise<Set<string>> {
  try {
    return new Set(await readdir(folder));
  } catch (cause) {
    throw fileError(folder, 'cannot be read as a model folder', cause);
  }
}

function checkIsModel(folder: string, names: ReadonlySet<string>): void {
  const { config, weights } = fileNames;
  if (!names.has(config) && names.has(weights)) {
    const reason = 'a save was cut short or the file was lost; save or copy the model again';
    throw new HeedError(folder, `has ${weights} but no ${config}: ${reason}.`);
  }
  if (!names.has(config)) throw new HeedError(folder, `is not a model folder: it has no ${config}.`);
  if (!names.has(weights)) throw new HeedError(folder, `has no ${weights}; copy the whole model folder.`);
}

async function readTokenizers(folder: string, names: ReadonlySet<string>): Promise<TokenizerFiles> {
  const { tokenizer, sourceTokenizer, targetTokenizer } = fileNames;
  const present = tokenizerNames.filter((name) => names.has(name));
  switch (present.join()) {
    case tokenizer:
      return { joint: await readText(join(folder, tokenizer)) };
    case [sourceTokenizer, targetTokenizer].join():
      return {
        source: await readText(join(folder, sourceTokenizer)),
        target: await readText(join(folder, targetTokenizer)),
      };
  }
  const rule = `needs ${tokenizer}, or both ${sourceTokenizer} and ${targetTokenizer}`;
  throw new HeedError(folder, `${rule}, got ${present.join(' and ') || 'none of them'}; copy the whole model folder.`);
}

function namedFiles(files: ModelFiles, card: string | undefined): Map<string, string | Uint8Array> {
  const { tokenizers } = files;
  const named = new Map<string, string | Uint8Array>([
    [fileNames.weights, files.weights],
    [fileNames.config, files.config],
  ]);
  if (files.generation !== undefined) named.set(fileNames.generation, files.generation);
  if (card !== undefined) named.set(fileNames.card, card);
  if ('joint' in tokenizers) return named.set(fileNames.tokenizer, tokenizers.joint);
  return named.set(fileNames.sourceTokenizer, tokenizers.source).set(fileNames.targetTokenizer, tokenizers.target);
}

/** Whether old files of the folder do not fit the new ones: another architecture or tokenizer. */
async function holdsAnotherModel(folder: string, files: ReadonlyMap<string, string | Uint8Array>): Promise<boolean> {
  for (const name of tokenizerNames) {
    if ((await readTextIfAny(join(folder, name))) !== files.get(name)) return true;
  }
  const config = await readTextIfAny(join(folder, fileNames.config));
  return architectureText(config) !== architectureText(String(files.get(fileNames.config)));
}

function architectureText(config: string | undefined): string | undefined {
  try {
    return config && JSON.stringify(JSON.parse(config).architecture);
  } catch {
    return undefined;
  }
}

async function readTextIfAny(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return undefined;
    throw fileError(path, 'cannot be read', cause);
  }
}

/** UTF-8, without the byte order mark that some editors put before it. */
async function readText(path: string): Promise<string> {
  return new TextDecoder().decode(await readBytes(path));
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw fileError(path, 'cannot be read', cause);
  }
}
