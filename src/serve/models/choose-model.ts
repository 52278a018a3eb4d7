// Chooses the model and the direction for a request of /v1.

import type { DetectedLanguage } from '../../documents/index.ts';
import type { Service } from '../service.ts';
import type { ChosenModel, WantedModel } from './models.ts';

export interface Chosen extends ChosenModel {
  /** If the request asked for detection. */
  readonly detected: DetectedLanguage | undefined;
}

/** @throws RequestError 400 if no model fits, or if several fit */
export async function chooseModel(service: Service, wanted: WantedModel, texts: readonly string[]): Promise<Chosen> {
  const { models } = service;
  if (wanted.source !== 'auto') return { ...models.choose(wanted), detected: undefined };
  const { source: _, ...open } = wanted;
  const directions = models.all.find(({ name }) => name === wanted.model)?.directions;
  const detected = await service.detectSource({ texts, format: 'text', target: wanted.target, directions });
  return { ...models.choose({ ...open, source: detected.language }), detected };
}
