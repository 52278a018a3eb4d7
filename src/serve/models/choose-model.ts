// Which model translates a request of /v1, and between which languages.

import type { DetectedLanguage } from '../../documents/index.ts';
import type { Service } from '../service.ts';
import type { ChosenModel, WantedModel } from './models.ts';

export interface Chosen extends ChosenModel {
  /** If the source was to be detected. */
  readonly detected: DetectedLanguage | undefined;
}

/** @throws RequestError 400 if no model fits, or the languages are left open where there is a choice */
export async function chooseModel(service: Service, wanted: WantedModel, texts: readonly string[]): Promise<Chosen> {
  const { models } = service;
  if (wanted.source !== 'auto') return { ...models.choose(wanted), detected: undefined };
  const { source: _, ...open } = wanted;
  const directions = models.all.find(({ name }) => name === wanted.model)?.directions;
  const detected = await service.detectSource({ texts, format: 'text', target: wanted.target, directions });
  return { ...models.choose({ ...open, source: detected.language }), detected };
}
