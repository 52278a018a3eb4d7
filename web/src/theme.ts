// Light, dark, or the system's setting. The colours are in design/variables.css.

import { effect, signal } from '@preact/signals';
import { remember, remembered } from './memory.ts';

export const themes = ['system', 'light', 'dark'] as const;

export type Theme = (typeof themes)[number];

export const theme = signal<Theme>(themes.find((name) => name === remembered('theme')) ?? 'system');

effect(() => {
  if (theme.value === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
});

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  remember('theme', chosen);
}
