// Translation: text in, text out.

export type { Direction } from '../model/index.ts';
export { type Alignment, pharaoh, type WordLink } from './alignment.ts';
export { type DirectionOptions, tagIds } from './direction.ts';
export { Glossary, type GlossaryEntry } from './glossary.ts';
export type { TranslateOptions, TranslatorSetup } from './options.ts';
export type { PairScore, ScoreOptions, ScorePair } from './scoring.ts';
export {
  arrayValues,
  type SearchNode,
  type SearchTrace,
  type Trace,
  type TraceArray,
  type TraceAttention,
  type TraceCandidate,
  type TraceModel,
  type TracePrediction,
  type TraceSource,
  type TraceTarget,
  type TraceTensor,
  type TraceToken,
} from './trace/format.ts';
export type { ArrayForm, TensorChoice } from './trace/tensors.ts';
export type { TraceOptions } from './trace/tracer.ts';
export { type TranslatedLine, type Translation, untouched } from './translation.ts';
export { Translator } from './translator.ts';
export { inWindows, type NumberedLine } from './windows.ts';
