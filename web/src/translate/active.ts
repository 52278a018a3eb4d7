// The active word, by pointer or keyboard, and the units that are highlighted with it on the other side.

import { computed, signal } from '@preact/signals';
import { aligned, isCurrent } from './outcome.ts';

export interface ActiveUnit {
  readonly side: 'source' | 'target';
  /** Index among the units of that side. */
  readonly unit: number;
}

export const active = signal<ActiveUnit | undefined>(undefined);

const nothing: ReadonlySet<number> = new Set();

/** The highlighted units of each side. */
export const lit = computed(() => {
  const { side, unit } = active.value ?? {};
  const found = side && isCurrent.value ? aligned.value[side][unit ?? 0] : undefined;
  if (!found) return { source: nothing, target: nothing };
  const [own, others] = [new Set([unit ?? 0]), new Set(found.links)];
  return side === 'source' ? { source: own, target: others } : { source: others, target: own };
});
