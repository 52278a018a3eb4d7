// Whether the page is light or dark now, for pictures that CSS does not style.

import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { theme } from '../theme.ts';
import type { Appearance } from './colour.ts';

const darkness = matchMedia('(prefers-color-scheme: dark)');
const systemIsDark = signal(darkness.matches);

darkness.addEventListener('change', ({ matches }) => {
  systemIsDark.value = matches;
});

export const appearance: ReadonlySignal<Appearance> = computed(() => {
  if (theme.value !== 'system') return theme.value;
  return systemIsDark.value ? 'dark' : 'light';
});
