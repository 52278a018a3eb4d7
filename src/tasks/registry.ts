// The tasks by their names. A task of heed's own is a line here; others are added by `registerTask`.

import { HeedError } from '../base/error.ts';
import { didYouMean } from '../base/nearest.ts';
import { languageModel } from './language-model/index.ts';
import type { Recipe } from './recipe.ts';
import type { Task } from './task.ts';
import { translation } from './translation/index.ts';

export const defaultTask = translation.name;

const tasks = new Map<string, Task>();
registerTask(translation);
registerTask(languageModel);

/** Adds a task that `train` and `taskNamed` know from now on. @throws HeedError if its name is taken */
export function registerTask<R extends Recipe>(task: Task<R>): void {
  if (tasks.has(task.name))
    throw new HeedError('registerTask', `there is a task ${task.name} already; give this one another name.`);
  tasks.set(task.name, task);
}

export function registeredTasks(): readonly Task[] {
  return [...tasks.values()];
}

/** @throws HeedError for an unknown name; it suggests the nearest task */
export function taskNamed(name: string): Task {
  const task = tasks.get(name);
  if (task !== undefined) return task;
  const known = [...tasks.keys()];
  throw new HeedError('--task', `unknown task ${name}${didYouMean(name, known)} Known: ${known.join(', ')}.`);
}
