// Metrics: scores as papers report them, computed from text.

export { type BleuOptions, type BleuScore, type BleuSmoothing, bleuMetric, corpusBleu, sentenceBleu } from './bleu.ts';
export { type ChrfOptions, type ChrfScore, chrfMetric, corpusChrf, sentenceChrf } from './chrf.ts';
export { type Metric, type ReferenceStreams, scoreCorpus, scoreSentence } from './metric.ts';
export { formatPythonJson } from './python-json.ts';
export {
  type ConfidenceInterval,
  formatScore,
  formatScoresJson,
  type Score,
  type ScoreJson,
  scoreToJson,
} from './score.ts';
export { SACREBLEU_VERSION } from './signature.ts';
export {
  type PairedComparison,
  type PairedSystems,
  pairedApproximateRandomization,
  pairedBootstrap,
  type ResamplingOptions,
  scoreWithConfidence,
} from './significance.ts';
export { corpusTer, sentenceTer, type TerScore, terMetric } from './ter.ts';
export type { TerOptions } from './ter-tokenizer.ts';
export { tokenizedWarning } from './tokenized-warning.ts';
export { BLEU_TOKENIZERS, type BleuTokenizer, tokenize } from './tokenizers.ts';
export {
  type CaseOptions,
  type ErrorRateScore,
  type ErrorUnit,
  type ExactMatchScore,
  errorRate,
  errorRateMetric,
  exactMatch,
  exactMatchMetric,
} from './word-error-rate.ts';
