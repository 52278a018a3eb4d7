// Command-line flags made from option schemas, so that an option is declared and described in one place.

import { type Command, Option } from 'commander';
import { z } from 'zod';
import { HeedError } from '../../base/error.ts';
import { kebab } from '../../base/options.ts';

type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * Adds a flag for each option of a schema: `peakRate` becomes `--peak-rate <number>`. Lists of records have none: only a
 * configuration file can give them.
 * @param heading of the flags in the help; default: that of the command
 */
export function addFlags(command: Command, shape: Shape, heading?: string): void {
  for (const [key, schema] of Object.entries(shape)) {
    const type = typeOf(schema);
    const { kind } = type;
    if (kind === 'records') continue;
    const option = flagOf(key, schema.description ?? '', { ...type, kind });
    if (heading !== undefined) option.helpGroup(heading);
    command.addOption(option);
  }
}

const valueNames = { boolean: '[true|false]', number: '<number>', text: '<text>', list: '<text>' };

function flagOf(
  key: string,
  description: string,
  { kind, choices, fallback }: FlagType & { readonly kind: keyof typeof valueNames | 'enum' },
): Option {
  const value = kind === 'enum' ? `<${choices?.join('|')}>` : valueNames[kind];
  const note = fallback === undefined || fallback === false ? '' : ` (default: ${fallback})`;
  const option = new Option(`--${kebab(key)} ${value}`, `${description}${note}`);
  // Commander takes every --no-… for the negation of another flag; ours are names like any other.
  option.negate = false;
  return kind === 'list' ? option.argParser((text, before: string[] = []) => [...before, text]) : option;
}

/** The values of flags as values of their options: text is converted to numbers and booleans. Options not given are absent. */
export function flagValues(shape: Shape, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known = Object.entries(given).filter(([key, value]) => key in shape && value !== undefined);
  return Object.fromEntries(
    known.map(([key, value]) => [key, Array.isArray(value) ? value : fromText(key, shape[key], String(value))]),
  );
}

function fromText(key: string, schema: z.ZodType, text: string): unknown {
  switch (typeOf(schema).kind) {
    case 'number': {
      const number = Number(text);
      if (text.trim() !== '' && !Number.isNaN(number)) return number;
      throw new HeedError(`--${kebab(key)}`, `must be a number, got ${JSON.stringify(text)}.`);
    }
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true';
      throw new HeedError(`--${kebab(key)}`, `must be true or false, got ${JSON.stringify(text)}.`);
    default:
      return text;
  }
}

interface FlagType {
  readonly kind: 'number' | 'boolean' | 'enum' | 'text' | 'list' | 'records';
  readonly choices?: readonly string[];
  readonly fallback?: unknown;
}

/** The type that a schema accepts, apart from its default and from being optional. */
function typeOf(schema: z.ZodType): FlagType {
  if (schema instanceof z.ZodDefault) {
    return { ...typeOf(schema.unwrap() as z.ZodType), fallback: schema.def.defaultValue };
  }
  if (schema instanceof z.ZodOptional) return typeOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodNumber) return { kind: 'number' };
  if (schema instanceof z.ZodBoolean) return { kind: 'boolean' };
  if (schema instanceof z.ZodEnum) return { kind: 'enum', choices: schema.options.map(String) };
  const choices = registeredChoices(schema);
  if (choices !== undefined) return { kind: 'enum', choices };
  // A list is a flag that may be given more than once.
  if (schema instanceof z.ZodArray) return { kind: schema.element instanceof z.ZodObject ? 'records' : 'list' };
  return { kind: 'text' };
}

/** The names that an option may have, if it names an entry of a registry. */
function registeredChoices(schema: z.ZodType): string[] | undefined {
  const choices = schema.meta()?.choices;
  const names: unknown = typeof choices === 'function' ? choices() : undefined;
  return Array.isArray(names) ? names.map(String) : undefined;
}
