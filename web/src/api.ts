// The client of the server's HTTP interface. Requests can be aborted; every failure becomes an ApiError with a message for
// the user.

import { signal as state } from '@preact/signals';
import { EventSource } from 'eventsource';
import { remember, remembered } from './memory.ts';
import { words } from './words.ts';

class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Of the HTTP answer; 0 if there was none. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** For servers that require one; '' otherwise. */
export const apiKey = state(remembered('apiKey') ?? '');

export function chooseApiKey(key: string): void {
  apiKey.value = key.trim();
  remember('apiKey', apiKey.value);
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
}

export function get<Answer>(path: string, { signal }: RequestOptions = {}): Promise<Answer> {
  return answerOf(path, { signal });
}

export function post<Answer>(path: string, body: object, { signal }: RequestOptions = {}): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  return answerOf(path, { method: 'POST', headers, body: JSON.stringify(body), signal });
}

/** Server-sent events of a path. EventSource cannot send an API key. */
export function eventsOf(path: string): EventSource {
  return new EventSource(addressOf(path), { fetch: fetchWithKey });
}

/** Whether an error is that of an aborted request, which is not shown. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** The URL of a path of the server, also if a proxy serves the page under a prefix. */
function addressOf(path: string): URL {
  return new URL(path, document.baseURI);
}

async function answerOf<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const response = await respond(path, init);
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && body !== undefined) return body as Answer;
  throw new ApiError(response.status, messageOf(response, body));
}

async function respond(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetchWithKey(addressOf(path), init);
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError(0, words.value.serverUnreachable);
  }
}

function fetchWithKey(url: string | URL, init: RequestInit): Promise<Response> {
  const key = apiKey.peek();
  return fetch(url, key === '' ? init : { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } });
}

/** The server's own message, `{ "error": … }`, if it sends one; limits are explained in the language of the page. */
function messageOf(response: Response, body: unknown): string {
  const { status, headers } = response;
  const seconds = Number(headers.get('retry-after'));
  if (seconds > 0) return words.value.tooManyRequests(seconds);
  if (typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string') return body.error;
  return words.value.serverError(status);
}
