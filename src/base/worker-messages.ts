// The protocol of a worker channel: which calls a worker answers, and the messages that carry them. All messages are plain
// data, which threads exchange by structured clone.

import type { SentError } from './sent-error.ts';

/** One kind of call, by the types of what is sent. */
interface CallTypes {
  readonly input: unknown;
  readonly output: unknown;
  /** What the worker reports while it works. */
  readonly progress?: unknown;
  /** What the worker asks its caller while it works, and what the caller answers. */
  readonly question?: unknown;
  readonly reply?: unknown;
}

/** The kinds of calls of a protocol, by name. */
export type Protocol<P> = { readonly [Name in keyof P]: CallTypes };

export type ProgressOf<C> = C extends { readonly progress: infer Progress } ? Progress : never;
export type QuestionOf<C> = C extends { readonly question: infer Question } ? Question : never;
export type ReplyOf<C> = C extends { readonly reply: infer Reply } ? Reply : never;

export type ToWorker =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly input: unknown }
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'reply'; readonly question: number; readonly reply: unknown }
  | { readonly kind: 'refusal'; readonly question: number; readonly error: SentError };

/** Each is about the call with this id. */
export type FromWorker =
  | { readonly kind: 'result'; readonly id: number; readonly output: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: SentError }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: unknown }
  | { readonly kind: 'question'; readonly id: number; readonly question: number; readonly content: unknown };
