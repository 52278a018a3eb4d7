// What a caller can ask of a language model, and what follows from it.

import { HeedError } from '../base/error.ts';
import { type DecodeOptions, type DecodeOptionsInput, decodeOptions } from '../decode/index.ts';
import type { StoredModel } from '../model/index.ts';

type SearchOptions = Pick<
  DecodeOptionsInput,
  'beam' | 'lengthPenalty' | 'nBest' | 'sampling' | 'noRepeatNgram' | 'repetitionPenalty'
>;

/** How to continue a prompt. Default: greedy search. */
export interface GenerateOptions extends SearchOptions {
  /** Tokens to write at most, END included. Default 200; for a beam no more than the context has room for. */
  readonly maxTokens?: number | undefined;
  /** Tokens of a batch at most, prompts and what is written, padding included; it changes the speed only. Default 4096. */
  readonly batchTokens?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options worked out for a model. */
export interface Plan {
  readonly decoding: DecodeOptions;
  /** Undefined: the default. */
  readonly maxTokens: number | undefined;
  readonly batchTokens: number;
  readonly signal: AbortSignal | undefined;
}

export const defaultMaxTokens = 200;
export const defaultBatchTokens = 4096;

/** @throws HeedError that names the option: unknown, of the wrong kind, out of range, or contradicting another */
export function planOf(options: GenerateOptions, { generation }: Pick<StoredModel, 'generation'>): Plan {
  const { maxTokens, batchTokens = defaultBatchTokens, signal, ...given } = options;
  if (maxTokens !== undefined) checkCount('maxTokens', maxTokens);
  checkCount('batchTokens', batchTokens);
  const { beam, ...defaults } = { beam: 1, lengthPenalty: 'none', ...generation };
  const chosen = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  // Whoever asks for samples has no use for the model's beam.
  const decoding = decodeOptions({ ...defaults, ...('sampling' in chosen ? {} : { beam }), ...chosen });
  return { decoding, maxTokens, batchTokens, signal };
}

/** The plan of a text that is shown as it is written. @throws HeedError for what would revise it */
export function streamPlanOf(options: GenerateOptions, model: Pick<StoredModel, 'generation'>): Plan {
  const plan = planOf({ ...options, beam: options.beam ?? 1 }, model);
  const { beam, nBest } = plan.decoding;
  if (beam === 1 && nBest === 1) return plan;
  const got = beam > 1 ? `beam ${beam}` : `nBest ${nBest}`;
  throw new HeedError('stream', `writes one text that it never revises, got ${got}; leave it out.`);
}

export function checkCount(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 1) return;
  throw new HeedError('language model', `${name} must be a whole number of at least 1, got ${value}.`);
}
