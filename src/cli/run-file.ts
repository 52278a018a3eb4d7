// training/run.json: what a run was started with, so that --resume needs no more than the folder. The tokenizers are in
// it: a resumed run encodes with what was learned, not with what would be learned today.

import { HeedError } from '../base/error.ts';
import { parseOptions } from '../base/options.ts';
import { textHash } from '../data/index.ts';
import { readFileIfAny, writeFileAtomically } from '../model/node.ts';
import { runFiles } from '../train/index.ts';
import { kebab } from './flags.ts';
import { changeableKeys, type Recipe, recipeOptions } from './recipe.ts';
import { formatTokenizers, parseTokenizers, type Tokenizers } from './tokenizers.ts';

/** A file that a run reads, in the words that name it to the user, and its SHA-256. */
export interface DataHash {
  readonly role: string;
  readonly path: string;
  readonly sha256: string;
}

export interface Run {
  readonly recipe: Recipe;
  readonly data: readonly DataHash[];
  readonly tokenizers: Tokenizers;
}

/** Raised whenever an older heed would misread what this one writes. */
const version = 1;

export async function writeRun(folder: string, { recipe, data, tokenizers }: Run): Promise<void> {
  const content = { version, recipe, data, tokenizers: formatTokenizers(tokenizers) };
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
  return {
    recipe: parseOptions(recipeOptions, content.recipe, path),
    data: content.data,
    tokenizers: parseTokenizers(content.tokenizers, path),
  };
}

interface RunFile {
  readonly version: unknown;
  readonly recipe: Record<string, unknown>;
  readonly data: readonly DataHash[];
  readonly tokenizers: Parameters<typeof parseTokenizers>[0];
}

function parse(text: string, path: string): RunFile {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new HeedError(path, 'is damaged: it is not JSON; start a new run in another folder.', { cause });
  }
}

/**
 * The recipe of a resumed run: the stored one, with what may change as it is given now.
 * @throws HeedError naming the first option that differs and may not
 */
export function resumedRecipe(stored: Recipe, given: Readonly<Record<string, unknown>>): Recipe {
  const recipe = parseOptions(recipeOptions, { ...stored, ...given }, 'train');
  const before: Readonly<Record<string, unknown>> = stored;
  for (const [key, value] of Object.entries(recipe)) {
    const [was, is] = [JSON.stringify(before[key]), JSON.stringify(value)];
    if (was === is || isChangeable(key)) continue;
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

/** Names all that a run's steps depend on and that stays while it is resumed. */
export function runName({ recipe, data, tokenizers }: Run): string {
  const fixed = Object.entries(recipe).filter(([key, value]) => !isChangeable(key) && value !== undefined);
  return textHash(
    JSON.stringify(fixed.sort(([a], [b]) => (a < b ? -1 : 1))),
    JSON.stringify(data.map(({ role, sha256 }) => [role, sha256])),
    JSON.stringify(tokenizers.source),
    JSON.stringify(tokenizers.target),
  );
}

function isChangeable(key: string): boolean {
  return changeableKeys.includes(key);
}
