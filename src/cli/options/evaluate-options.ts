// The options of `heed evaluate`, and the metrics they ask for. Names are those of the library's options, with the metric in front.

import { z } from 'zod';
import { HeedError } from '../../base/error.ts';
import { didYouMean } from '../../base/nearest.ts';
import { kebab } from '../../base/options.ts';
import {
  BLEU_TOKENIZERS,
  bleuMetric,
  chrfMetric,
  errorRateMetric,
  exactMatchMetric,
  type Metric,
  type Score,
  terMetric,
} from '../../metrics/index.ts';

export const evaluateOptions = z.strictObject({
  metric: z.string().default('bleu').describe('bleu, chrf, chrf++, ter, wer, per, cer and exact, comma-separated.'),
  lowercase: z.boolean().default(false).describe('Ignore case; ter does so unless --ter-case-sensitive is given.'),
  tokenize: z
    .enum(BLEU_TOKENIZERS)
    .default('13a')
    .describe('Tokenizer of bleu; none for text that is tokenised already.'),
  smoothing: z
    .enum(['exp', 'floor', 'add-k', 'none'])
    .default('exp')
    .describe('Smoothing of bleu for n-gram orders without a match.'),
  smoothingValue: z
    .number()
    .optional()
    .describe('Value of the smoothings floor (0.1 if not given) and add-k (1 if not given).'),
  effectiveOrder: z
    .boolean()
    .default(false)
    .describe('Leave out n-gram orders that are longer than the text; always on with --sentence-level.'),
  chrfCharOrder: z.number().default(6).describe('Longest character n-gram of chrf.'),
  chrfWordOrder: z.number().default(0).describe('Longest word n-gram of chrf; chrf++ has 2.'),
  chrfBeta: z.number().default(2).describe('Weight of recall relative to precision in chrf (β).'),
  chrfWhitespace: z.boolean().default(false).describe('Keep white space in character n-grams of chrf.'),
  chrfEpsilonSmoothing: z.boolean().default(false).describe('Average over all orders, as chrF++.py does.'),
  terNormalized: z.boolean().default(false).describe('Split off punctuation for ter.'),
  terRemovePunctuation: z.boolean().default(false).describe('Remove punctuation for ter.'),
  terAsianSupport: z.boolean().default(false).describe('Both of these for Asian characters too.'),
  terCaseSensitive: z.boolean().default(false).describe('Case-sensitive ter.'),
  sentenceLevel: z.boolean().default(false).describe('Score every line by itself.'),
  confidence: z.boolean().default(false).describe('Add a 95 % interval by bootstrap resampling.'),
  pairedTest: z
    .enum(['bootstrap', 'approximate-randomization'])
    .default('bootstrap')
    .describe('Test of the difference to --baseline.'),
  trials: z
    .number()
    .optional()
    .describe('Random trials of interval or test (1000 if not given, 10000 for approximate-randomization).'),
  seed: z.number().default(12345).describe('Seed of the trials.'),
  width: z.number().default(1).describe('Digits after the decimal point.'),
  json: z.boolean().default(false).describe('Print scores as the JSON of sacreBLEU.'),
});

export type EvaluateOptions = z.output<typeof evaluateOptions>;

/** How each metric is made from the options. */
const makers = {
  bleu: ({ tokenize, lowercase, smoothing, smoothingValue, effectiveOrder, sentenceLevel }) =>
    bleuMetric({
      tokenizer: tokenize,
      lowercase,
      smoothing,
      smoothingValue,
      effectiveOrder: effectiveOrder || sentenceLevel,
    }),
  chrf: (options) => chrfMetric({ ...chrfOptions(options), wordOrder: options.chrfWordOrder }),
  'chrf++': (options) => chrfMetric({ ...chrfOptions(options), wordOrder: 2 }),
  ter: ({ terNormalized, terRemovePunctuation, terAsianSupport, terCaseSensitive }) =>
    terMetric({
      normalized: terNormalized,
      removePunctuation: terRemovePunctuation,
      asianSupport: terAsianSupport,
      caseSensitive: terCaseSensitive,
    }),
  wer: ({ lowercase }) => errorRateMetric('word', { lowercase }),
  per: ({ lowercase }) => errorRateMetric('phoneme', { lowercase }),
  cer: ({ lowercase }) => errorRateMetric('character', { lowercase }),
  exact: ({ lowercase }) => exactMatchMetric({ lowercase }),
} satisfies Record<string, (options: EvaluateOptions) => Metric<Score>>;

type MetricName = keyof typeof makers;

function chrfOptions({ chrfCharOrder, chrfBeta, lowercase, chrfWhitespace, chrfEpsilonSmoothing }: EvaluateOptions) {
  return {
    charOrder: chrfCharOrder,
    beta: chrfBeta,
    lowercase,
    whitespace: chrfWhitespace,
    epsilonSmoothing: chrfEpsilonSmoothing,
  };
}

/** The options that only some metrics use. */
const owners: Partial<Record<keyof EvaluateOptions, readonly MetricName[]>> = {
  lowercase: ['bleu', 'chrf', 'chrf++', 'wer', 'per', 'cer', 'exact'],
  tokenize: ['bleu'],
  smoothing: ['bleu'],
  smoothingValue: ['bleu'],
  effectiveOrder: ['bleu'],
  chrfCharOrder: ['chrf', 'chrf++'],
  chrfWordOrder: ['chrf'],
  chrfBeta: ['chrf', 'chrf++'],
  chrfWhitespace: ['chrf', 'chrf++'],
  chrfEpsilonSmoothing: ['chrf', 'chrf++'],
  terNormalized: ['ter'],
  terRemovePunctuation: ['ter'],
  terAsianSupport: ['ter'],
  terCaseSensitive: ['ter'],
};

/** The requested metrics, in the order requested. @throws HeedError for unknown names */
export function metricsOf(options: EvaluateOptions): Metric<Score>[] {
  return metricNames(options).map((name) => makers[name](options));
}

function metricNames({ metric }: EvaluateOptions): MetricName[] {
  const known = Object.keys(makers);
  return metric.split(',').map((part) => {
    const name = part.trim();
    if (isMetricName(name)) return name;
    throw new HeedError('--metric', `unknown metric ${name}${didYouMean(name, known)} Known: ${known.join(', ')}.`);
  });
}

function isMetricName(name: string): name is MetricName {
  return Object.hasOwn(makers, name);
}

/** Whether scores of tokenised text would not be comparable with those of plain text. */
export function dependsOnTokenization(options: EvaluateOptions): boolean {
  const names = metricNames(options);
  return (names.includes('bleu') && options.tokenize !== 'none') || names.includes('chrf') || names.includes('chrf++');
}

/**
 * An option that would do nothing is refused rather than ignored.
 * @param given the options that the user gave
 * @throws HeedError if one belongs to a metric or a mode that was not asked for, or if two exclude each other
 */
export function checkUse(options: EvaluateOptions, given: readonly string[], hasBaseline: boolean): void {
  const names = metricNames(options);
  for (const [key, owning] of Object.entries(owners)) {
    if (!given.includes(key) || owning.some((name) => names.includes(name))) continue;
    throw new HeedError(`--${kebab(key)}`, `belongs to ${owning.join(', ')}, got --metric ${options.metric}.`);
  }
  const { sentenceLevel, confidence } = options;
  if (sentenceLevel && names.length > 1) {
    throw new HeedError('--sentence-level', `takes one metric, so that a line has one score, got ${options.metric}.`);
  }
  if (sentenceLevel && (confidence || hasBaseline)) {
    throw new HeedError('--sentence-level', 'has no interval and no test; leave out --confidence and --baseline.');
  }
  if (confidence && hasBaseline) {
    throw new HeedError('--confidence', 'is for one system; with --baseline the bootstrap gives both intervals.');
  }
  if (given.includes('pairedTest') && !hasBaseline) {
    throw new HeedError('--paired-test', 'compares with a second system; name its translations by --baseline.');
  }
  for (const key of ['trials', 'seed']) {
    if (!given.includes(key) || confidence || hasBaseline) continue;
    throw new HeedError(`--${key}`, 'belongs to --confidence and --baseline, got neither.');
  }
}
