// Decoding: search for the best outputs of a model, given as a step function.

export { ensemble } from './ensemble.ts';
export type { SearchEvent, SearchListener, StopReason } from './events.ts';
export type { EndReason, Hypothesis, HypothesisResult } from './hypothesis.ts';
export type { DistinctBy } from './n-best.ts';
export { type DecodeOptions, type DecodeOptionsInput, decodeOptions, type SamplingOptions } from './options.ts';
export type { TokenEvent } from './path-search.ts';
export { coveragePenalty, type LengthPenalty, lengthPenalty, parseLengthPenalty } from './penalty.ts';
export { type SearchControl, type SentenceResult, search } from './search.ts';
export type { BeamHint, HintedModel, SearchHint } from './search-hint.ts';
export type { SentenceInput } from './sentence.ts';
export type { StepModel, StepRequest, StepScores } from './step.ts';
