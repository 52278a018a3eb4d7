// config.json: the architecture, and the resolved configuration that the model was trained with, versioned.

import { HeedError, isHeedError } from '../base/error.ts';
import { didYouMean } from '../base/nearest.ts';
import { architectureOptions, type TransformerConfig, transformerConfig } from '../nn/index.ts';
import { formatJson, isJsonObject, type JsonObject, parseJsonObject } from './json.ts';

/** Raised whenever an older heed would misread what this one writes. */
const version = 1;

const vocabularyKeys = ['sourceVocabularySize', 'targetVocabularySize', 'sourcePadId', 'targetPadId'] as const;
const architectureKeys = [...architectureOptions.keyof().options, ...vocabularyKeys];

export interface ConfigFile {
  readonly config: TransformerConfig;
  /** The resolved configuration of the training run; free. */
  readonly training: JsonObject;
}

/** The same configuration gives the same text, whatever the order of its keys. */
export function formatConfigFile({ config, training }: ConfigFile): string {
  const architecture = Object.fromEntries(architectureKeys.map((key) => [key, config[key]]));
  return formatJson({ format: 'heed', version, architecture, training });
}

/**
 * @param place the file's name, for error messages
 * @throws HeedError if the file is not JSON, not ours, of a newer version, or lacks or misspells a part of the architecture
 */
export function parseConfigFile(text: string, place: string): ConfigFile {
  const { format, version: written, architecture, training, ...rest } = parseJsonObject(text, place);
  if (format !== 'heed') {
    throw new HeedError(place, `is not of a heed model: "format" must be "heed", got ${JSON.stringify(format)}.`);
  }
  checkVersion(written, place);
  refuseUnknown(Object.keys(rest), ['format', 'version', 'architecture', 'training'], place);
  if (!isJsonObject(training)) throw new HeedError(place, '"training" must be a JSON object, {…}.');
  if (!isJsonObject(architecture)) throw new HeedError(place, '"architecture" must be a JSON object, {…}.');
  return { config: parseArchitecture(architecture, place), training };
}

function checkVersion(written: unknown, place: string): void {
  if (typeof written !== 'number' || !Number.isInteger(written) || written < 1) {
    throw new HeedError(place, `"version" must be a whole number from 1, got ${JSON.stringify(written)}.`);
  }
  if (written > version) {
    const versions = `(version ${written}, this one reads ${version})`;
    throw new HeedError(place, `was written by a newer version of heed ${versions}: update heed.`);
  }
}

function refuseUnknown(keys: readonly string[], known: readonly string[], place: string): void {
  const unknown = keys.find((key) => !known.includes(key));
  if (unknown !== undefined) throw new HeedError(place, `unknown key "${unknown}"${didYouMean(unknown, known) || '.'}`);
}

/** Every key must be there: a default that crept in for a lost key would be another model. */
function parseArchitecture(architecture: JsonObject, place: string): TransformerConfig {
  refuseUnknown(Object.keys(architecture), architectureKeys, place);
  const missing = architectureKeys.filter((key) => !Object.hasOwn(architecture, key));
  if (missing.length > 0) throw new HeedError(place, `"architecture" lacks ${missing.join(', ')}.`);
  const vocabulary = parseVocabulary(architecture, place);
  const options = architectureOptions.safeParse(omitVocabulary(architecture));
  if (!options.success) {
    const { path, message } = options.error.issues[0];
    throw new HeedError(place, `"architecture": ${path.join('.')}: ${message}.`, { cause: options.error });
  }
  try {
    return transformerConfig(options.data, vocabulary);
  } catch (cause) {
    if (isHeedError(cause)) throw new HeedError(place, `"architecture": ${cause.message}`, { cause });
    throw cause;
  }
}

type StoredVocabulary = Pick<TransformerConfig, (typeof vocabularyKeys)[number]>;

function parseVocabulary(architecture: JsonObject, place: string): StoredVocabulary {
  const wholeNumber = (key: string, minimum: number): number => {
    const value = architecture[key];
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum) return value;
    const got = JSON.stringify(value);
    throw new HeedError(place, `"architecture": ${key} must be a whole number from ${minimum}, got ${got}.`);
  };
  return {
    sourceVocabularySize: wholeNumber('sourceVocabularySize', 1),
    targetVocabularySize: wholeNumber('targetVocabularySize', 1),
    sourcePadId: wholeNumber('sourcePadId', 0),
    targetPadId: wholeNumber('targetPadId', 0),
  };
}

function omitVocabulary(architecture: JsonObject): JsonObject {
  const names: readonly string[] = vocabularyKeys;
  return Object.fromEntries(Object.entries(architecture).filter(([key]) => !names.includes(key)));
}
