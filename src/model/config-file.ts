// config.json: the architecture, and the resolved configuration that the model was trained with, versioned.

import { type ArchitectureConfig, architectures } from '../architectures/index.ts';
import { HeedError, isHeedError } from '../base/error.ts';
import { didYouMean } from '../base/nearest.ts';
import { version as heedVersion } from '../base/version.ts';
import { formatJson, isJsonObject, type JsonObject, parseJsonObject } from './json.ts';

/**
 * Raised whenever an older heed would misread what this one writes. Version 1 (heed 0.1) has no `kind` and no `writtenBy`, and is of
 * an encoder–decoder.
 */
const version = 2;

const topKeys = ['format', 'version', 'writtenBy', 'architecture', 'training'];

export interface ConfigFile {
  readonly config: ArchitectureConfig;
  /** The resolved configuration of the training run; free. */
  readonly training: JsonObject;
}

/** The same configuration gives the same text, whatever the order of its keys. */
export function formatConfigFile({ config, training }: ConfigFile): string {
  const values: JsonObject = { ...config };
  const keys = ['kind', ...architectures.get(config.kind).options.keyof().options];
  const architecture = Object.fromEntries(keys.map((key) => [key, values[key]]));
  return formatJson({ format: 'heed', version, writtenBy: heedVersion, architecture, training });
}

/**
 * @param place the file's name, for error messages
 * @throws HeedError if the file is not JSON, not of heed, of a newer version, or has unknown or wrong options
 */
export function parseConfigFile(text: string, place: string): ConfigFile {
  const {
    format,
    version: written,
    writtenBy = '0.1.0',
    architecture,
    training,
    ...rest
  } = parseJsonObject(text, place);
  if (format !== 'heed') {
    throw new HeedError(place, `is not of a heed model: "format" must be "heed", got ${JSON.stringify(format)}.`);
  }
  checkVersion(written, place);
  refuseUnknown(Object.keys(rest), topKeys, { place, writtenBy });
  if (!isJsonObject(training)) throw new HeedError(place, '"training" must be a JSON object, {…}.');
  if (!isJsonObject(architecture)) throw new HeedError(place, '"architecture" must be a JSON object, {…}.');
  return { config: parseArchitecture(architecture, { place, writtenBy }), training };
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

/** The file's name, and the version of heed that wrote it. */
interface Origin {
  readonly place: string;
  readonly writtenBy: unknown;
}

function refuseUnknown(keys: readonly string[], known: readonly string[], { place, writtenBy }: Origin): void {
  const unknown = keys.find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const suggestion = didYouMean(unknown, known) || '.';
  const versions = `The file was written by heed ${writtenBy}; this is heed ${heedVersion}.`;
  throw new HeedError(place, `unknown key "${unknown}"${suggestion} ${versions}`);
}

/** Absent options have their defaults, so that files older than an option are complete. */
function parseArchitecture(stored: JsonObject, origin: Origin): ArchitectureConfig {
  const { place } = origin;
  const { kind = 'encoder-decoder', ...rest } = stored;
  if (typeof kind !== 'string' || !architectures.has(kind)) {
    const suggestion = didYouMean(String(kind), architectures.names) || '.';
    const known = `Known: ${architectures.names.join(', ')}.`;
    const todo = 'An architecture of your own must be registered before its models are loaded.';
    const got = JSON.stringify(kind);
    throw new HeedError(place, `"architecture": unknown kind ${got}${suggestion} ${known} ${todo}`);
  }
  const architecture = architectures.get(kind);
  const values = architecture.upgrade(rest);
  refuseUnknown(Object.keys(values), ['kind', ...architecture.options.keyof().options], origin);
  const options = architecture.options.safeParse(values);
  if (!options.success) {
    const [{ path, message }] = options.error.issues;
    throw new HeedError(place, `"architecture": ${path.join('.')}: ${message}.`, { cause: options.error });
  }
  try {
    return architecture.complete(options.data);
  } catch (cause) {
    if (isHeedError(cause)) throw new HeedError(place, `"architecture": ${cause.message}`, { cause });
    throw cause;
  }
}
