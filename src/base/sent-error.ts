// Errors on their way from one thread to another, where only plain data can go.

import { HeedError, isHeedError } from './error.ts';

export interface SentError {
  /** Of a HeedError. */
  readonly place?: string;
  /** For bugs, including the stack, which shows where they are. */
  readonly message: string;
}

export function sentError(error: unknown): SentError {
  if (isHeedError(error)) return { place: error.place, message: error.message.slice(error.place.length + 2) };
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

export function receivedError({ place, message }: SentError): Error {
  return place === undefined ? new Error(message) : new HeedError(place, message);
}
