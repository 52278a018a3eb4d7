// How models are given on the command line: `DIR`, or `en-de=DIR` if the model does not name its languages itself.

import { basename, resolve } from 'node:path';
import { HeedError } from '../../base/error.ts';
import type { Direction } from '../../translate/index.ts';

export interface ModelFolder {
  readonly folder: string;
  /** The name of the folder, with a number if several have the same. */
  readonly name: string;
  /** As given on the command line; empty: those that the model names itself. */
  readonly directions: readonly Direction[];
}

// A language code begins with two or three lower-case letters; a subtag, such as -BR or -Hans, with a capital or digit.
const language = '[a-z]{2,3}(?:[-_][A-Z0-9][A-Za-z0-9]*)*';
const direction = new RegExp(`^(${language})-(${language})=(.+)$`, 's');

/**
 * `en-pt-BR=m` is folder m from en to pt-BR. A folder given several times, in several directions, is one model.
 * @throws HeedError for no model at all
 */
export function parseModels(given: readonly string[]): ModelFolder[] {
  if (given.length === 0) throw new HeedError('serve', 'needs at least one --model, or a --run to show.');
  const folders = new Map<string, Direction[]>();
  for (const text of given) {
    const [, source, target, named] = text.match(direction) ?? [];
    const folder = named ?? text;
    const key = [...folders.keys()].find((known) => resolve(known) === resolve(folder)) ?? folder;
    folders.set(key, [...(folders.get(key) ?? []), ...(named === undefined ? [] : [{ source, target }])]);
  }
  const names = new Map<string, number>();
  return [...folders].map(([folder, directions]) => {
    const name = basename(resolve(folder));
    const count = (names.get(name) ?? 0) + 1;
    names.set(name, count);
    return { folder, name: count === 1 ? name : `${name}-${count}`, directions };
  });
}
