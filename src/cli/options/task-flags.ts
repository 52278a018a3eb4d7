// The flags of heed train that its tasks declare. Which task is meant is known only when all flags are read, so the command
// accepts those of every task, and refuses afterwards what the chosen one does not have.

import type { Command } from 'commander';
import { HeedError } from '../../base/error.ts';
import { didYouMean } from '../../base/nearest.ts';
import { kebab } from '../../base/options.ts';
import type { Recipe, Task } from '../../tasks/index.ts';
import { addFlags, flagValues } from './flags.ts';

/** Adds the flags that all tasks have, then those of each task under a heading of their own. */
export function addTaskFlags(command: Command, tasks: readonly Task[]): void {
  const [first, ...others] = tasks.map(({ recipe }) => recipe.shape);
  const shared = Object.keys(first).filter((key) => others.every((shape) => key in shape));
  const added = new Set(shared);
  addFlags(command, pick(first, shared));
  for (const { name, recipe } of tasks) {
    const own = Object.keys(recipe.shape).filter((key) => !added.has(key));
    for (const key of own) added.add(key);
    addFlags(command, pick(recipe.shape, own), `Options of ${name}:`);
  }
}

/** The options that flags gave for a task. @throws HeedError for a flag of another task */
export function taskFlagValues({ name, recipe }: Task, tasks: readonly Task[], given: Recipe): Recipe {
  for (const [key, value] of Object.entries(given)) {
    const isForeign = !(key in recipe.shape) && tasks.some((task) => key in task.recipe.shape);
    if (value === undefined || !isForeign) continue;
    const suggestion = didYouMean(kebab(key), Object.keys(recipe.shape).map(kebab)) || '; leave it out.';
    throw new HeedError(`--${kebab(key)}`, `is no option of the task ${name}${suggestion}`);
  }
  return flagValues(recipe.shape, given);
}

function pick<T>(record: Readonly<Record<string, T>>, keys: readonly string[]): Record<string, T> {
  return Object.fromEntries(keys.map((key) => [key, record[key]]));
}
