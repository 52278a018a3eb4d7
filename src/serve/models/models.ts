// The models of a server, found by name or by direction.

import { didYouMean } from '../../base/nearest.ts';
import type { Direction } from '../../translate/index.ts';
import { badRequest, RequestError } from '../http/errors.ts';
import type { ModelFolder } from './model-names.ts';
import { ServedModel, type ServedModelOptions } from './served-model.ts';

/** Each field that is left out is open. */
export interface WantedModel extends Partial<Direction> {
  readonly model?: string | undefined;
}

export interface ChosenModel {
  readonly model: ServedModel;
  /** As requested, or the only one that fits; undefined fields: the model does not name its languages. */
  readonly direction: Partial<Direction>;
}

const names = new Intl.DisplayNames(['en'], { type: 'language' });

/** `en` → `English`; an unknown code stays as it is. */
export function languageName(code: string): string {
  try {
    return names.of(code.replaceAll('_', '-')) ?? code;
  } catch {
    return code;
  }
}

export class Models {
  private constructor(readonly all: readonly ServedModel[]) {}

  /** Loads all models. @throws HeedError for the first that cannot be loaded */
  static async load(folders: readonly ModelFolder[], options: ServedModelOptions): Promise<Models> {
    const loading = folders.map((folder) => ServedModel.load(folder, options));
    const loaded = await Promise.allSettled(loading);
    const failed = loaded.find((result) => result.status === 'rejected');
    const models = loaded.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    if (failed === undefined) return new Models(models);
    await Promise.all(models.map((model) => model.release()));
    throw failed.reason;
  }

  /** The directions of all models, without duplicates. */
  get directions(): Direction[] {
    const all = this.all.flatMap(({ directions }) => directions);
    return [...new Map(all.map((direction) => [`${direction.source} ${direction.target}`, direction])).values()];
  }

  /** Codes of all languages, sources first. */
  get languages(): string[] {
    return [
      ...new Set([...this.directions.map(({ source }) => source), ...this.directions.map(({ target }) => target)]),
    ];
  }

  /**
   * The first model that translates the direction.
   * @throws RequestError 400 with LibreTranslate's message
   */
  forDirection({ source, target }: Direction): ServedModel {
    const { languages } = this;
    for (const code of [source, target])
      if (!languages.includes(code)) throw new RequestError(400, `${code} is not supported`);
    const model = this.all.find((one) => one.knows({ source, target }));
    if (model !== undefined) return model;
    const [from, to] = [source, target].map((code) => `${languageName(code)} (${code})`);
    throw new RequestError(400, `${to} is not available as a target language from ${from}`);
  }

  /** @throws RequestError 400 if no model fits, or if several fit */
  choose({ model: name, source, target }: WantedModel): ChosenModel {
    if (name === undefined && source !== undefined && target !== undefined)
      return { model: this.forDirection({ source, target }), direction: { source, target } };
    const model = name === undefined ? this.onlyOne({ source, target }) : this.named(name);
    const fitting = model.directions.filter(
      (known) => (source ?? known.source) === known.source && (target ?? known.target) === known.target,
    );
    if (fitting.length === 1) return { model, direction: fitting[0] };
    if (model.directions.length === 0 && source === undefined && target === undefined) return { model, direction: {} };
    const known = model.directions.map((direction) => `${direction.source}-${direction.target}`).join(', ');
    const rule = fitting.length === 0 ? 'has no such direction' : 'needs source and target';
    throw badRequest(`model ${model.name} ${rule}; it knows ${known || 'no languages by name, so leave them out'}.`);
  }

  async release(): Promise<void> {
    await Promise.all(this.all.map((model) => model.release()));
  }

  private named(name: string): ServedModel {
    const model = this.all.find((one) => one.name === name);
    if (model !== undefined) return model;
    const known = this.all.map((one) => one.name);
    const suggestion = didYouMean(name, known) || `; there is ${known.join(', ')}.`;
    throw badRequest(`unknown model ${name}${suggestion}`);
  }

  private onlyOne(direction: Partial<Direction>): ServedModel {
    const isOpen = direction.source === undefined && direction.target === undefined;
    const fitting = isOpen ? this.all : this.all.filter((model) => model.knows(direction));
    if (fitting.length === 1 || (fitting.length > 0 && this.all.length === 1)) return fitting[0];
    const rule = fitting.length === 0 ? 'no model knows that language' : 'several models fit';
    throw badRequest(`${rule}; name source and target, or a model: ${this.all.map(({ name }) => name).join(', ')}.`);
  }
}
