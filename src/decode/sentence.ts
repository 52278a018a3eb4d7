// One sentence to decode: its own options, validated against the model.
import { HeedError } from '../base/error.ts';
import type { DecodeOptions } from './options.ts';
import { contains } from './phrases.ts';
import type { StepModel } from './step.ts';

/** The options of one sentence. Its index in the list is its index in the batch that the model was started with. */
export interface SentenceInput {
  /** Source positions (END included if the model's source has one): limits the output and the recorded attention. */
  readonly sourceLength: number;
  /** Ids that the output must start with. Default: none. */
  readonly prefix?: readonly number[] | undefined;
  /** Id sequences that must each appear somewhere in the output (a glossary). Default: none. */
  readonly forcedPhrases?: readonly (readonly number[])[] | undefined;
  /** The sentence's number in the whole input, which determines its random stream. Default: its index in the list. */
  readonly number?: number | undefined;
}

/** All settings of the search of one sentence. */
export interface SentenceTask {
  /** Index in the batch the model was started with. */
  readonly sentence: number;
  /** Determines the sentence's random stream. */
  readonly number: number;
  readonly sourceLength: number;
  /** Maximum positions of this sentence's output, END included; independent of the rest of the batch. */
  readonly maxLength: number;
  readonly prefix: readonly number[];
  readonly forcedPhrases: readonly (readonly number[])[];
  /** Ids that are never emitted: start, padding, other control tokens, banned tokens. */
  readonly suppressed: ReadonlySet<number>;
  readonly endId: number;
  readonly vocabularySize: number;
  readonly options: DecodeOptions;
}

/**
 * The tasks of a batch. `controlTokens` are further ids besides start and padding that are never emitted.
 *
 * @throws HeedError for an id outside the vocabulary, or contradictory options
 */
export function sentenceTasks(
  model: StepModel,
  sentences: readonly SentenceInput[],
  options: DecodeOptions,
  controlTokens: readonly number[],
): SentenceTask[] {
  const { vocabularySize, startId, padId, endId } = model;
  checkIds('bannedTokens', options.bannedTokens, vocabularySize);
  if (options.bannedTokens.includes(endId))
    throw new HeedError('decode', `bannedTokens must not hold END (${endId}); to get longer outputs use minLength.`);
  // In some models START or padding equals END, and END must stay possible.
  const suppressed = new Set([startId, padId, ...controlTokens, ...options.bannedTokens]);
  suppressed.delete(endId);
  return sentences.map((input, sentence) => {
    const place = `sentences[${sentence}]`;
    const { sourceLength, prefix = [], forcedPhrases = [], number = sentence } = input;
    if (!Number.isSafeInteger(sourceLength) || sourceLength < 0)
      throw new HeedError('decode', `${place}.sourceLength must be a whole number, got ${sourceLength}.`);
    const maxLength = Math.max(1, Math.min(sourceLength + options.maxLengthExtra, options.maxLength ?? Infinity));
    const task = {
      sentence,
      number,
      sourceLength,
      maxLength,
      prefix,
      forcedPhrases,
      suppressed,
      endId,
      vocabularySize,
      options,
    };
    checkPrefix(place, task);
    checkForcedPhrases(place, task);
    return task;
  });
}

function checkPrefix(place: string, task: SentenceTask): void {
  checkEmittable(`${place}.prefix`, task.prefix, task);
  if (task.prefix.length >= task.maxLength)
    throw new HeedError(
      'decode',
      `${place}.prefix must leave room below the sentence's maximal length, got ${task.prefix.length} tokens and ${task.maxLength}.`,
    );
}

function checkForcedPhrases(place: string, task: SentenceTask): void {
  const { sampling, bannedPhrases } = task.options;
  if (task.forcedPhrases.length > 0 && sampling !== undefined)
    throw new HeedError('decode', `${place}.forcedPhrases needs beam search; leave out sampling.`);
  for (const [i, phrase] of task.forcedPhrases.entries()) {
    const name = `${place}.forcedPhrases[${i}]`;
    if (phrase.length === 0) throw new HeedError('decode', `${name} must hold at least one token.`);
    checkEmittable(name, phrase, task);
    const banned = bannedPhrases.find((other) => contains(phrase, other));
    if (banned !== undefined)
      throw new HeedError(
        'decode',
        `${name} contains the banned phrase [${banned.join(', ')}]; leave one of them out.`,
      );
  }
}

function checkEmittable(name: string, ids: readonly number[], task: SentenceTask): void {
  checkIds(name, ids, task.vocabularySize);
  const never = ids.find((id) => id === task.endId || task.suppressed.has(id));
  if (never !== undefined)
    throw new HeedError('decode', `${name} holds ${never}, which is a control token or banned and cannot be forced.`);
}

function checkIds(name: string, ids: readonly number[], vocabularySize: number): void {
  const wrong = ids.find((id) => !Number.isSafeInteger(id) || id < 0 || id >= vocabularySize);
  if (wrong !== undefined)
    throw new HeedError('decode', `${name} must hold ids from 0 to ${vocabularySize - 1}, got ${wrong}.`);
}
