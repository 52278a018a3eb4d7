// The five views, each loaded when it is first opened.

import type { ComponentType } from 'preact';
import type { ViewName } from './router.ts';

export const viewLoaders: Readonly<Record<ViewName, () => Promise<ComponentType>>> = {
  translate: async () => (await import('./translate/translate-view.tsx')).TranslateView,
  attention: async () => (await import('./attention/attention-view.tsx')).AttentionView,
  'walk-through': async () => (await import('./walk-through/walk-through-view.tsx')).WalkThroughView,
  beam: async () => (await import('./beam/beam-view.tsx')).BeamView,
  training: async () => (await import('./training/training-view.tsx')).TrainingView,
};
