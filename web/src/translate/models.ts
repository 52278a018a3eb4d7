// Which models the server has and which languages they know; what can be chosen follows from it.

import { computed, signal } from '@preact/signals';
import type { ModelsAnswer, SettingsAnswer } from '../../../src/serve/index.ts';
import { get } from '../api.ts';
import { change, limits, settings } from './settings.ts';

export type ServedModel = ModelsAnswer['models'][number];

/** Undefined until the server has told. */
export const models = signal<readonly ServedModel[] | undefined>(undefined);

/** Whether the server translates only for those who bring a key. */
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

/** Models that do not say their languages: they are chosen by name. */
export const unnamedModels = computed(() => (models.value ?? []).filter((model) => model.directions.length === 0));

export const sources = computed(() => [...new Set(directions.value.map(({ source }) => source))]);

/** What the chosen source can be translated to. */
export const targets = computed(() => {
  const { source } = settings.value;
  const fitting = directions.value.filter((direction) => source === 'auto' || direction.source === source);
  return [...new Set(fitting.map(({ target }) => target))];
});

export function hasDirection(source: string, target: string): boolean {
  return directions.value.some((direction) => direction.source === source && direction.target === target);
}

/** The model whose own options hold where the user asks for none. */
const chosenModel = computed(() => {
  const { source, target, model: name } = settings.value;
  const all = models.value ?? [];
  if (name !== '') return all.find((model) => model.name === name);
  return all.find(({ directions }) =>
    directions.some((known) => (source === 'auto' || known.source === source) && known.target === target),
  );
});

/** What holds: the user's wish, or the model's own, or heed's. */
export const effectiveBeam = computed(() => settings.value.beam ?? numberOf(chosenModel.value?.generation.beam) ?? 4);

export const effectiveLengthPenalty = computed(() => {
  const { lengthPenalty } = settings.value;
  if (lengthPenalty !== undefined) return lengthPenalty;
  const own = chosenModel.value?.generation.lengthPenalty;
  if (own === 'none') return 0;
  return typeof own === 'string' && own.startsWith('gnmt:') ? Number(own.slice('gnmt:'.length)) : 0.6;
});

/** The best one aside, as many as the beam can hold. */
export const mostAlternatives = computed(() => Math.min(limits.alternatives.max, effectiveBeam.value - 1));

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
