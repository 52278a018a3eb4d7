// What the server translates: each direction of each model.

import { type ReadonlySignal, signal } from '@preact/signals';
import type { ModelsAnswer } from '../../../src/serve/index.ts';
import { get } from '../api.ts';
import { type Direction, directionsOf } from './direction.ts';

const known = signal<readonly Direction[] | undefined>(undefined);
let isAsked = false;

/** Undefined until the server has answered, which it is asked to do when somebody first wants to know. */
export function directions(): ReadonlySignal<readonly Direction[] | undefined> {
  if (!isAsked) {
    isAsked = true;
    void load();
  }
  return known;
}

/** Without an answer there is nothing to choose; the next question will tell what is wrong. */
async function load(): Promise<void> {
  const answer = await get<ModelsAnswer>('v1/models').catch(() => undefined);
  known.value = answer === undefined ? [] : directionsOf(answer);
}
