// API keys: who may translate, and how often. Only their hashes are held in memory, so that no log or memory dump has a
// key.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyRequest } from 'fastify';
import { HeedError } from '../../base/error.ts';
import { fileError } from '../../base/file-error.ts';
import { RequestError } from './errors.ts';

export class ApiKeys {
  /** By the key's hash: requests a minute, undefined for the server's own limit. */
  private constructor(private readonly limits: ReadonlyMap<string, number | undefined>) {}

  /** Reads `KEY` or `KEY REQUESTS-PER-MINUTE` lines; blank lines and lines that begin with # are ignored. */
  static async load(path: string): Promise<ApiKeys> {
    try {
      return ApiKeys.parse(await readFile(path, 'utf8'), path);
    } catch (cause) {
      throw fileError(path, 'cannot be read', cause);
    }
  }

  /** @throws HeedError naming the line */
  static parse(text: string, place: string): ApiKeys {
    const limits = new Map<string, number | undefined>();
    for (const [i, line] of text.split('\n').entries()) {
      const [key, limit, ...more] = line.trim().split(/\s+/);
      if (key === '' || key.startsWith('#')) continue;
      if (more.length > 0 || (limit !== undefined && !/^[1-9]\d*$/.test(limit)))
        throw new HeedError(`${place}, line ${i + 1}`, 'must be KEY or KEY REQUESTS-PER-MINUTE.');
      limits.set(hashOf(key), limit === undefined ? undefined : Number(limit));
    }
    if (limits.size > 0) return new ApiKeys(limits);
    throw new HeedError(place, 'must hold at least one key, or nobody could translate.');
  }

  /** @throws RequestError 400 without a key, 403 with a wrong one, as LibreTranslate answers */
  check(key: string | undefined): void {
    if (key === undefined) throw new RequestError(400, 'Please contact the server operator to get an API key');
    if (!this.limits.has(hashOf(key))) throw new RequestError(403, 'Invalid API key');
  }

  /** Requests a minute of this key, if it has a limit of its own. */
  limitOf(key: string): number | undefined {
    return this.limits.get(hashOf(key));
  }
}

/** The key that a request carries: `api_key` of its body, or `Authorization: Bearer KEY`. */
export function keyOf({ body, headers }: Pick<FastifyRequest, 'body' | 'headers'>): string | undefined {
  const field = typeof body === 'object' && body !== null && 'api_key' in body ? body.api_key : undefined;
  if (typeof field === 'string' && field !== '') return field;
  return headers.authorization?.match(/^Bearer +(\S+) *$/i)?.[1];
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}
