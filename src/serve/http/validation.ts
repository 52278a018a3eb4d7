// Request bodies, validated by the schemas that also describe them in the OpenAPI document.

import type { z } from 'zod';
import { didYouMean } from '../../base/nearest.ts';
import { badRequest, type RequestError } from './errors.ts';

/** @throws RequestError 400 naming the first field that is unknown, missing or of the wrong type */
export function checked<S extends z.ZodObject>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue.path.length === 0 && issue.code === 'unrecognized_keys')
    throw badRequest(`unknown field ${issue.keys[0]}${didYouMean(issue.keys[0], Object.keys(schema.shape)) || '.'}`);
  throw refusal(issue, body);
}

function refusal({ path, message }: z.core.$ZodIssue, body: unknown): RequestError {
  if (path.length === 0) return badRequest('the body must be an object.');
  const [name] = path;
  const value = body === undefined ? undefined : (body as Record<PropertyKey, unknown>)[name];
  if (path.length === 1 && isMissing(value)) return badRequest(`missing ${String(name)} parameter`);
  return badRequest(`${path.join('.')}: ${message}`);
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** @throws RequestError 400 if there are too many texts, or too many characters in them */
export function checkSize(
  texts: readonly string[],
  { maxTexts, maxCharacters }: { readonly maxTexts: number; readonly maxCharacters: number },
): void {
  const characters = texts.reduce((sum, text) => sum + charactersOf(text), 0);
  for (const [size, limit] of [
    [texts.length, maxTexts],
    [characters, maxCharacters],
  ])
    if (size > limit) throw badRequest(`request (${size}) exceeds text limit (${limit})`);
}

/** Counts a surrogate pair as one character. */
function charactersOf(text: string): number {
  return text.length - (text.match(/[\u{10000}-\u{10FFFF}]/gu)?.length ?? 0);
}

/** JSON can contain half a surrogate pair, which is no character: it becomes U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}
