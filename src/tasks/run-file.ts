// training/run.json: what a run was started with, so that it can be resumed from its folder alone. It contains the tokenizers:
// a resumed run encodes with what was learned then, not with what would be learned now.

import type { z } from 'zod';
import { HeedError } from '../base/error.ts';
import { kebab, parseOptions } from '../base/options.ts';
import { textHash } from '../data/index.ts';
import { readFileIfAny, writeFileAtomically } from '../model/node.ts';
import { changeableOptions, runFiles } from '../train/index.ts';
import type { Recipe } from './recipe.ts';
import { formatTokenizers, parseTokenizers, type Tokenizers } from './tokenizers.ts';

/** A file that a run reads, in the words that name it to the user, and its SHA-256. */
export interface DataHash {
  readonly role: string;
  readonly path: string;
  readonly sha256: string;
}

export interface Run {
  /** Name of its task. */
  readonly task: string;
  /** What `runName` gave when the run began. Undefined in files of heed 0.1, which computed it anew each time. */
  readonly name?: string | undefined;
  /** As it was written: options that a later version added are missing. */
  readonly recipe: Recipe;
  readonly data: readonly DataHash[];
  readonly tokenizers: Tokenizers;
}

/** Raised whenever an older heed would misread what this one writes. */
const version = 1;

/** The task of runs by heed 0.1, which knew no other. */
const firstTask = 'translate';

export async function writeRun(folder: string, { task, name, recipe, data, tokenizers }: Run): Promise<void> {
  const content = { version, task, name, recipe, data, tokenizers: formatTokenizers(tokenizers) };
  await writeFileAtomically(runFiles(folder).run, JSON.stringify(content));
}

/** The run that a folder holds, or undefined. @throws HeedError if the file is damaged or newer than this program */
export async function readRun(folder: string): Promise<Run | undefined> {
  const path = runFiles(folder).run;
  const bytes = await readFileIfAny(path);
  if (bytes === undefined) return undefined;
  const content = parse(new TextDecoder().decode(bytes), path);
  if (content.version !== version) {
    const versions = `version ${JSON.stringify(content.version)}, this one reads ${version}`;
    throw new HeedError(path, `was written by another version of heed (${versions}); use that one.`);
  }
  const { task = firstTask, name, recipe, data } = content;
  return { task, name, recipe, data, tokenizers: parseTokenizers(content.tokenizers, path) };
}

interface RunFile extends Omit<Run, 'task' | 'tokenizers'> {
  readonly version: unknown;
  readonly task?: string;
  readonly tokenizers: Parameters<typeof parseTokenizers>[0];
}

function parse(text: string, path: string): RunFile {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new HeedError(path, 'is damaged: it is not JSON; start a new run in another folder.', { cause });
  }
}

export interface ResumedOptions {
  /** The recipe that the run began with. */
  readonly stored: Recipe;
  /** Options given now. */
  readonly given: Recipe;
  /** Where the stored recipe is, for error messages. */
  readonly place: string;
}

/** The part of a task that names the options which are paths. */
type Paths = { readonly paths: readonly string[] };

/**
 * The recipe of a resumed run: the stored one, with what may change as it is given now.
 * @throws HeedError naming the first option that differs and may not
 */
export function resumedRecipe<R extends Recipe>(
  task: Paths & { readonly recipe: z.ZodObject & z.ZodType<R> },
  { stored, given, place }: ResumedOptions,
): R {
  const before: Recipe = parseOptions(task.recipe, stored, place);
  const recipe = parseOptions(task.recipe, { ...stored, ...given }, 'train');
  for (const [key, value] of Object.entries(recipe)) {
    const [was, is] = [JSON.stringify(before[key]), JSON.stringify(value)];
    if (was === is || isChangeable(task, key)) continue;
    const rule = `--${kebab(key)} must stay what the run began with, ${was ?? 'not given'}, got ${is}`;
    throw new HeedError('train', `${rule}; leave it out, or start a new run in another folder.`);
  }
  return recipe;
}

/** @throws HeedError naming the first file whose content is not what the run began with */
export function checkSameData(began: readonly DataHash[], now: readonly DataHash[]): void {
  const roles = (data: readonly DataHash[]) => data.map(({ role }) => role).join(', ');
  if (roles(began) !== roles(now)) {
    const rule = `a run must go on with the files it began with, ${roles(began)}`;
    throw new HeedError('train', `${rule}, got ${roles(now)}; start a new run in another folder.`);
  }
  for (const [i, { role, path, sha256 }] of now.entries()) {
    if (sha256 === began[i].sha256) continue;
    const hashes = `SHA-256 ${began[i].sha256.slice(0, 12)}…, got ${sha256.slice(0, 12)}…`;
    const todo = 'give the file as it was, or start a new run in another folder';
    throw new HeedError(path, `is not the ${role} that this run began with (${began[i].path}, ${hashes}); ${todo}.`);
  }
}

/** Identifies a run: a hash of everything that its steps depend on and that may not change when it is resumed. */
export function runName(task: Paths, { recipe, data, tokenizers }: Omit<Run, 'task' | 'name'>): string {
  const fixed = Object.entries(recipe).filter(([key, value]) => !isChangeable(task, key) && value !== undefined);
  return textHash(
    JSON.stringify(fixed.sort(([a], [b]) => (a < b ? -1 : 1))),
    JSON.stringify(data.map(({ role, sha256 }) => [role, sha256])),
    JSON.stringify(tokenizers.source),
    JSON.stringify(tokenizers.target),
  );
}

function isChangeable({ paths }: Paths, key: string): boolean {
  const changeable: readonly string[] = [...paths, ...changeableOptions];
  return changeable.includes(key);
}
