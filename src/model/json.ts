// JSON of model folders: read as objects, with errors that name the file.

import { HeedError } from '../base/error.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The JSON object that a file holds.
 * @throws HeedError if the text is cut off, is not JSON, or is JSON of another kind
 */
export function parseJsonObject(text: string, place: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const message = `is not JSON, or is cut off (${(cause as Error).message}).`;
    throw new HeedError(place, message, { cause });
  }
  if (!isJsonObject(value)) throw new HeedError(place, 'must hold a JSON object, {…}.');
  return value;
}

/** JSON for people to read, with a newline at its end. */
export function formatJson(value: JsonObject): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
