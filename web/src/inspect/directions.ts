// All directions of all models of the server.

import { type ReadonlySignal, signal } from '@preact/signals';
import type { ModelsAnswer } from '../../../src/serve/index.ts';
import { get } from '../api.ts';
import { type Direction, directionsOf } from './direction.ts';

const known = signal<readonly Direction[] | undefined>(undefined);
let isAsked = false;

/** Undefined until the server has answered; requested when first needed. */
export function directions(): ReadonlySignal<readonly Direction[] | undefined> {
  if (!isAsked) {
    isAsked = true;
    void load();
  }
  return known;
}

/** Without an answer there is no choice; the next request will report the error. */
async function load(): Promise<void> {
  const answer = await get<ModelsAnswer>('v1/models').catch(() => undefined);
  known.value = answer === undefined ? [] : directionsOf(answer);
}
