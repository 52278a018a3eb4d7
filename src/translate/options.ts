// The options of a translator, and their values for a given model.

import { HeedError } from '../base/error.ts';
import { type DecodeOptions, type DecodeOptionsInput, decodeOptions } from '../decode/index.ts';
import type { ProgramSetup } from '../generate/index.ts';
import type { StoredModel } from '../model/index.ts';
import type { Tokenizer } from '../text/index.ts';
import { type DirectionOptions, tagIds } from './direction.ts';
import type { Glossary } from './glossary.ts';
import { atWordStart, bothForms } from './word-forms.ts';

/** Options of translation: those of decoding, counterparts in terms of text, and options that do not affect results. */
export interface TranslateOptions extends DecodeOptionsInput, DirectionOptions {
  /** Text that every output begins with. Default: none. */
  readonly prefix?: string | undefined;
  /**
   * Words or phrases that no output may contain, neither at the start of a word nor inside one. They are banned in the
   * segmentation that the tokenizer gives them; a model might still spell one from smaller pieces. Default: none.
   */
  readonly ban?: readonly string[] | undefined;
  /** Terms with a prescribed translation. Needs beam search. Default: none. */
  readonly glossary?: Glossary | undefined;
  /** Whether to record cross-attention: gives `alignment` and `attention`. Default false. */
  readonly attention?: boolean | undefined;
  /** Number of the first line within the whole input, from 0; determines the random streams of samples. Default 0. */
  readonly firstLine?: number | undefined;
  /** Maximum source tokens of a batch, padding included; more are faster up to a point. Default 1024. */
  readonly batchTokens?: number | undefined;
  /** Lines of a stream that are read ahead and sorted by length. Default 1024. */
  readonly windowLines?: number | undefined;
  /** Maximum milliseconds that a line of a stream waits until its window is full. Default 100. */
  readonly windowMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface TranslatorSetup extends ProgramSetup {
  /** Decoder layer, from 0, whose cross-attention is recorded on request; default: the last but one. */
  readonly attentionLayer?: number | undefined;
}

/** Options resolved for a model. */
export interface Plan {
  readonly decoding: DecodeOptions;
  /** Ids before each source: the tag of the target language, if the model has tags. */
  readonly tag: readonly number[];
  readonly prefix: readonly number[];
  readonly glossary: Glossary | undefined;
  /** Whether translations contain attention and alignment. */
  readonly showsAttention: boolean;
  /** Whether attention must be recorded: on request, or for the coverage penalty. */
  readonly recordsAttention: boolean;
  readonly firstLine: number;
  readonly batchTokens: number;
  readonly signal: AbortSignal | undefined;
}

/** @throws HeedError that names the option: unknown, of the wrong kind, out of range, or contradicting another */
export function planOf(options: TranslateOptions, model: StoredModel, maxPositions: number): Plan {
  const { prefix = '', ban = [], glossary, attention = false, batchTokens = 1024, signal, ...rest } = options;
  const { firstLine = 0, windowLines = 1024, windowMs = 100, from, to, ...requested } = rest;
  checkWhole('firstLine', firstLine, 0);
  checkWhole('batchTokens', batchTokens, 1);
  checkWhole('windowLines', windowLines, 1);
  if (!(windowMs >= 0)) throw new HeedError('translate', `windowMs must be a number of at least 0, got ${windowMs}.`);
  const decoding = decodingOf(requested, { ban, model, maxPositions });
  if (glossary !== undefined && decoding.sampling !== undefined)
    throw new HeedError('translate', 'glossary needs beam search; leave out sampling or the glossary.');
  return {
    decoding,
    tag: tagIds(model, { from, to }),
    prefix: atWordStart(model.targetTokenizer, prefix),
    glossary,
    showsAttention: attention,
    recordsAttention: attention || decoding.coveragePenalty > 0,
    firstLine,
    batchTokens,
    signal,
  };
}

/** The requested options over the model's defaults, with banned texts, limited to the table of learned positions. */
function decodingOf(
  requested: DecodeOptionsInput,
  { ban, model, maxPositions }: { ban: readonly string[]; model: StoredModel; maxPositions: number },
): DecodeOptions {
  const { beam, ...defaults } = generationDefaults(model.generation);
  const given = Object.fromEntries(Object.entries(requested).filter(([, value]) => value !== undefined));
  // With sampling the model's default beam does not apply.
  const options = decodeOptions({ ...defaults, ...('sampling' in given ? {} : { beam }), ...given });
  const maxLength = Math.min(maxPositions, options.maxLength ?? maxPositions);
  return decodeOptions({
    ...options,
    ...bannedIds(ban, model.targetTokenizer, options),
    maxLength: maxLength === Infinity ? undefined : maxLength,
  });
}

/** @throws HeedError if generation.json contains options that decoding does not know */
function generationDefaults(generation: StoredModel['generation']): DecodeOptionsInput {
  try {
    decodeOptions(generation);
  } catch (cause) {
    throw new HeedError('generation.json', (cause as Error).message, { cause });
  }
  return generation;
}

/** A text of one piece becomes a banned token, which costs nothing; a longer one a banned phrase. */
function bannedIds(
  texts: readonly string[],
  tokenizer: Tokenizer,
  { bannedTokens, bannedPhrases }: DecodeOptions,
): Pick<DecodeOptions, 'bannedTokens' | 'bannedPhrases'> {
  const forms = texts.flatMap((text) => {
    if (text.trim() === '')
      throw new HeedError('translate', `ban needs a word or phrase, got ${JSON.stringify(text)}.`);
    return bothForms(tokenizer, text.trim());
  });
  return {
    bannedTokens: [...bannedTokens, ...forms.filter((ids) => ids.length === 1).flat()],
    bannedPhrases: [...bannedPhrases, ...forms.filter((ids) => ids.length > 1)],
  };
}

function checkWhole(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new HeedError('translate', `${name} must be a whole number of at least ${least}, got ${value}.`);
}
