// The options of a training run, by name. Presets are recipes by name; a configuration file and flags, or the
// caller of `train`, override them.

import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { z } from 'zod';
import { HeedError } from '../base/error.ts';
import { didYouMean } from '../base/nearest.ts';

/** The options of a run, complete and checked by the schema of its task. */
export type Recipe = Readonly<Record<string, unknown>>;

/** What the options of a request are looked up in. */
export interface RecipeBook {
  readonly recipe: z.ZodObject;
  readonly presets: Readonly<Record<string, Recipe>>;
}

export interface RequestedOptions {
  readonly preset?: string | undefined;
  /** Path of a YAML file. */
  readonly config?: string | undefined;
  /** From flags or a caller. */
  readonly options: Recipe;
}

/** A configuration file. It may name the task and the preset beside its options. */
export interface ConfigFile {
  readonly task?: string | undefined;
  readonly preset?: string | undefined;
  readonly options: Recipe;
}

/**
 * The given options, without defaults: preset < configuration file < options.
 * @throws HeedError naming an unknown preset or key, with the nearest known one
 */
export async function requestedOptions(
  book: RecipeBook,
  { preset, config, options }: RequestedOptions,
): Promise<Recipe> {
  const file = config === undefined ? undefined : await readConfigFile(config);
  if (config !== undefined && file !== undefined) checkKeys(book.recipe, file.options, config);
  const name = preset ?? file?.preset;
  return { ...(name === undefined ? {} : presetNamed(book, name)), ...file?.options, ...options };
}

function presetNamed({ presets }: RecipeBook, name: string): Recipe {
  if (Object.hasOwn(presets, name)) return presets[name];
  const known = Object.keys(presets);
  throw new HeedError('--preset', `unknown preset ${name}${didYouMean(name, known)} Known: ${known.join(', ')}.`);
}

function checkKeys({ shape }: z.ZodObject, options: Recipe, place: string): void {
  for (const key of Object.keys(options)) {
    if (key in shape) continue;
    throw new HeedError(place, `unknown key ${key}${didYouMean(key, Object.keys(shape))}`);
  }
}

/** @throws HeedError if the file cannot be read or holds no options */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  let content: unknown;
  try {
    content = parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new HeedError(path, `cannot be read as YAML: ${(cause as Error).message.split('\n')[0]}`, { cause });
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new HeedError(path, 'must hold options, one `key: value` a line.');
  }
  const { task, preset, ...options }: Record<string, unknown> = Object.fromEntries(Object.entries(content));
  return { task: textOf(task), preset: textOf(preset), options };
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}

/** The part of a recipe that a schema describes. */
export function pickOptions<S extends z.ZodObject>(schema: S, recipe: Recipe): z.output<S> {
  const part = Object.entries(recipe).filter(([key, value]) => key in schema.shape && value !== undefined);
  return schema.parse(Object.fromEntries(part));
}
