// The options of decoding and their validation.
import { HeedError } from '../base/error.ts';
import { didYouMean } from '../base/nearest.ts';
import { type LengthPenalty, parseLengthPenalty } from './penalty.ts';

/** How to search. Every field names its default and the value that turns it off. */
export interface DecodeOptions {
  /** Live hypotheses per sentence. Default 4; 1 is greedy search, which stops at the first END, or sampling. */
  readonly beam: number;
  /** The divisor of sums of log-probabilities; see LengthPenalty. Default gnmt with alpha 0.6; off: `none`. */
  readonly lengthPenalty: LengthPenalty;
  /** β of GNMT's coverage penalty, added to the score of a complete hypothesis; needs recorded attention. Default and off: 0. */
  readonly coveragePenalty: number;
  /** Most hypotheses returned for a sentence, best first; at most `beam`, except with samples and alternatives. Default 1. */
  readonly nBest: number;
  /** Whether hypotheses of one sentence must differ in `SearchControl.distinctBy`. Default and off: false. */
  readonly distinct: boolean;
  /**
   * Whether the `nBest` hypotheses differ in the first token after the prefix: the nBest most probable ones, each
   * completed by its own search. Default and off: false.
   */
  readonly alternatives: boolean;
  /** Draws tokens at random instead of searching, nBest independent samples per sentence. Default and off: undefined. */
  readonly sampling: SamplingOptions | undefined;
  /** Maximum positions of an output, END included: an output with END has one token less. Default and off: undefined. */
  readonly maxLength: number | undefined;
  /** The same, relative to the sentence's source length; the smaller limit applies. Default 50; off: a large number. */
  readonly maxLengthExtra: number;
  /** Minimum tokens of an output without END. Default and off: 0. */
  readonly minLength: number;
  /** No sequence of this many tokens appears twice in an output. Default and off: 0. */
  readonly noRepeatNgram: number;
  /** Multiplies the log-probability of tokens that the output already contains; above 1 discourages them. Default and off: 1. */
  readonly repetitionPenalty: number;
  /** Ids that are never emitted. Default and off: none. */
  readonly bannedTokens: readonly number[];
  /** Sequences of ids that never appear in an output. Default and off: none. */
  readonly bannedPhrases: readonly (readonly number[])[];
}

/** How samples are drawn: temperature is applied first, then topK, then topP. */
export interface SamplingOptions {
  /** Divides the log-probabilities: near 0 greedy, above 1 more varied. Default and off: 1. */
  readonly temperature: number;
  /** Draw from this many most probable tokens only. Default and off: 0. */
  readonly topK: number;
  /** Draw only from the fewest most probable tokens whose probabilities sum to this (nucleus sampling). Default and off: 1. */
  readonly topP: number;
  /** Seed; each sentence and sample has its own random stream. Default 0. */
  readonly seed: number;
}

/** Options as a caller writes them; absent or undefined ones have their default. */
export type DecodeOptionsInput = {
  readonly [K in keyof DecodeOptions]?: K extends 'lengthPenalty'
    ? LengthPenalty | string | undefined
    : K extends 'sampling'
      ? Partial<SamplingOptions> | undefined
      : DecodeOptions[K] | undefined;
};

const defaults: DecodeOptions = {
  beam: 4,
  lengthPenalty: { kind: 'gnmt', alpha: 0.6 },
  coveragePenalty: 0,
  nBest: 1,
  distinct: false,
  alternatives: false,
  sampling: undefined,
  maxLength: undefined,
  maxLengthExtra: 50,
  minLength: 0,
  noRepeatNgram: 0,
  repetitionPenalty: 1,
  bannedTokens: [],
  bannedPhrases: [],
};

const samplingDefaults: SamplingOptions = { temperature: 1, topK: 0, topP: 1, seed: 0 };

/** A description of valid values that follows "must be", and the test for them. */
type Rule = readonly [what: string, holds: (value: unknown) => boolean];

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isIdList = (value: unknown): boolean => Array.isArray(value) && value.every((id) => isWhole(id) && id >= 0);

const wholeFrom = (least: number): Rule => [
  `a whole number of at least ${least}`,
  (value) => isWhole(value) && value >= least,
];
const boolean: Rule = ['true or false', (value) => typeof value === 'boolean'];
const positive: Rule = ['a number above 0', (value) => isNumber(value) && value > 0];

const rules: Record<keyof DecodeOptions, Rule> = {
  beam: wholeFrom(1),
  lengthPenalty: ['{kind: gnmt, alpha}, {kind: average, power} or {kind: none}, exponents finite', isLengthPenalty],
  coveragePenalty: ['a number of at least 0', (value) => isNumber(value) && value >= 0],
  nBest: wholeFrom(1),
  distinct: boolean,
  alternatives: boolean,
  sampling: ['a record of temperature, topK, topP and seed', isRecord],
  maxLength: wholeFrom(1),
  maxLengthExtra: wholeFrom(0),
  minLength: wholeFrom(0),
  noRepeatNgram: wholeFrom(0),
  repetitionPenalty: positive,
  bannedTokens: ['a list of token ids', isIdList],
  bannedPhrases: [
    'a list of non-empty lists of token ids',
    (value) => Array.isArray(value) && value.every((phrase) => isIdList(phrase) && phrase.length > 0),
  ],
};

const samplingRules: Record<keyof SamplingOptions, Rule> = {
  temperature: positive,
  topK: wholeFrom(0),
  topP: ['a number above 0 and at most 1', (value) => isNumber(value) && value > 0 && value <= 1],
  seed: wholeFrom(0),
};

/**
 * Completes options with defaults; complete options are returned unchanged.
 *
 * @throws HeedError that names the option: unknown, of the wrong kind, out of range, or contradicting another
 */
export function decodeOptions(input: DecodeOptionsInput = {}): DecodeOptions {
  const options = complete(defaults, rules, { ...input, ...parsed(input), ...completeSampling(input) }, '');
  refuseContradictions(options);
  return options;
}

function parsed({ lengthPenalty }: DecodeOptionsInput): { lengthPenalty?: LengthPenalty } {
  return typeof lengthPenalty === 'string' ? { lengthPenalty: parseLengthPenalty(lengthPenalty) } : {};
}

/** Completes sampling options, and sets beam to 1 with sampling unless given. */
function completeSampling({ sampling, beam }: DecodeOptionsInput): { sampling?: SamplingOptions; beam?: number } {
  if (!isRecord(sampling)) return {};
  return { sampling: complete(samplingDefaults, samplingRules, sampling, 'sampling.'), beam: beam ?? 1 };
}

function complete<T extends object>(defaults: T, rules: Record<keyof T, Rule>, input: object, prefix: string): T {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (!Object.hasOwn(rules, name))
      throw new HeedError('decode', `unknown option ${prefix}${name}${didYouMean(name, Object.keys(rules))}`);
    const [what, holds] = rules[name as keyof T];
    if (!holds(value)) throw new HeedError('decode', `${prefix}${name} must be ${what}, got ${shown(value)}.`);
  }
  return { ...defaults, ...Object.fromEntries(given) };
}

function refuseContradictions({ sampling, beam, nBest, minLength, maxLength, alternatives }: DecodeOptions) {
  const refuse = (message: string): never => {
    throw new HeedError('decode', message);
  };
  if (sampling !== undefined && beam > 1) refuse(`sampling needs beam 1, got beam ${beam}; use one of the two.`);
  if (sampling !== undefined && alternatives) refuse('alternatives are searched for, not sampled; use one of the two.');
  if (sampling === undefined && !alternatives && nBest > beam)
    refuse(`nBest must be at most beam, got nBest ${nBest} and beam ${beam}.`);
  if (maxLength !== undefined && minLength > maxLength)
    refuse(`minLength must be at most maxLength, got ${minLength} and ${maxLength}.`);
}

/** JSON has no NaN and no Infinity. */
function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isLengthPenalty(value: unknown): boolean {
  if (!isRecord(value) || !('kind' in value)) return false;
  if (value.kind === 'gnmt') return 'alpha' in value && isNumber(value.alpha);
  if (value.kind === 'average') return 'power' in value && isNumber(value.power);
  return value.kind === 'none';
}
