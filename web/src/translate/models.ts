// The models of the server, their languages, and the choices that follow from them.

import { computed, signal } from '@preact/signals';
import type { ModelsAnswer, SettingsAnswer } from '../../../src/serve/index.ts';
import { get } from '../api.ts';
import { change, limits, settings } from './settings.ts';

export type ServedModel = ModelsAnswer['models'][number];

/** Undefined until the server has answered. */
export const models = signal<readonly ServedModel[] | undefined>(undefined);

/** Whether the server requires an API key. */
export const needsKey = signal(false);

export const characterLimit = signal<number | undefined>(undefined);

/** @throws ApiError */
export async function loadModels(): Promise<void> {
  const [answer, { charLimit, keyRequired }] = await Promise.all([
    get<ModelsAnswer>('v1/models'),
    get<SettingsAnswer>('frontend/settings'),
  ]);
  models.value = answer.models;
  characterLimit.value = charLimit > 0 ? charLimit : undefined;
  needsKey.value = keyRequired;
  const direction = directions.value[0];
  const { source, target, model } = settings.value;
  if (source !== '' || target !== '' || model !== '') return;
  if (direction) change({ source: direction.source, target: direction.target });
  else if (answer.models.length > 0) change({ model: answer.models[0].name });
}

const directions = computed(() => (models.value ?? []).flatMap((model) => model.directions));

/** Models that do not name their languages: they are selected by their own names. */
export const unnamedModels = computed(() => (models.value ?? []).filter((model) => model.directions.length === 0));

export const sources = computed(() => [...new Set(directions.value.map(({ source }) => source))]);

/** The languages that the chosen source can be translated into. */
export const targets = computed(() => {
  const { source } = settings.value;
  const fitting = directions.value.filter((direction) => source === 'auto' || direction.source === source);
  return [...new Set(fitting.map(({ target }) => target))];
});

export function hasDirection(source: string, target: string): boolean {
  return directions.value.some((direction) => direction.source === source && direction.target === target);
}

/** The model whose options are the defaults. */
const chosenModel = computed(() => {
  const { source, target, model: name } = settings.value;
  const all = models.value ?? [];
  if (name !== '') return all.find((model) => model.name === name);
  return all.find(({ directions }) =>
    directions.some((known) => (source === 'auto' || known.source === source) && known.target === target),
  );
});

/** The effective options: the user's, or else the model's, or else heed's defaults. */
export const effectiveBeam = computed(() => settings.value.beam ?? numberOf(chosenModel.value?.generation.beam) ?? 4);

export const effectiveLengthPenalty = computed(() => {
  const { lengthPenalty } = settings.value;
  if (lengthPenalty !== undefined) return lengthPenalty;
  const own = chosenModel.value?.generation.lengthPenalty;
  if (own === 'none') return 0;
  return typeof own === 'string' && own.startsWith('gnmt:') ? Number(own.slice('gnmt:'.length)) : 0.6;
});

/** One fewer than the beam is wide, since the best translation is no alternative. */
export const mostAlternatives = computed(() => Math.min(limits.alternatives.max, effectiveBeam.value - 1));

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
