// Generation: a trained model as a step function for the searches in decode/.

export { batchesByLength, longestOf, padded, type Sized } from './batches.ts';
export { type DecodeLoopOptions, decodeLoop } from './decode-loop.ts';
export type { RunningModel } from './decoding-run.ts';
export { type EngineOptions, GenerationEngine } from './engine.ts';
export { encodeGraph, stepGraph } from './graphs.ts';
export { samplingOptions, searchOptions, textOptions } from './option-schema.ts';
export { compileFor, fedWeights, type ProgramModel, type ProgramSetup } from './programs.ts';
export { type IdPair, type ScoredBatch, Scorer } from './scorer.ts';
export { asStored } from './state-layout.ts';
export { type GrowingText, streamText } from './stream.ts';
