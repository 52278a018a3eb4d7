// Options that somebody wrote, checked against the schema that declares them.

import type { z } from 'zod';
import { HeedError } from './error.ts';
import { didYouMean } from './nearest.ts';

/**
 * The complete options: defaults below whatever is given.
 * @param place names the giver, such as a configuration file, in errors
 * @throws HeedError naming an option that is unknown, with the nearest known one, or whose value breaks a rule
 */
export function parseOptions<S extends z.ZodObject>(
  schema: S,
  given: Readonly<Record<string, unknown>>,
  place: string,
): z.output<S> {
  for (const key of Object.keys(given)) {
    if (key in schema.shape) continue;
    throw new HeedError(place, `unknown option ${key}${didYouMean(key, Object.keys(schema.shape))}`);
  }
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const key = String(issue.path[0]);
  const suggestion = didYouMean(String(given[key]), choicesOf(issue));
  throw new HeedError(place, `${key}: ${issue.message}, got ${JSON.stringify(given[key])}${suggestion || '.'}`);
}

/** The values that an option may have, if it has only some (an enumeration, or the names of a registry). */
function choicesOf(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  const choices: unknown = issue.code === 'custom' ? issue.params?.choices : undefined;
  return Array.isArray(choices) ? choices.map(String) : [];
}
