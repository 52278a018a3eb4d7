// Parallel text for training: read, cleaned, encoded, cut into batches; and tasks that need no data.

export { type Augment, type AugmentOptions, augmentation } from './augment.ts';
export {
  type BatchOptions,
  batchIndices,
  type EpochBatches,
  type PairLengths,
  paddingShare,
  pairLengths,
} from './batches.ts';
export { CachedPairs, cacheVersion, makeCache, maxCachedLength, openCache } from './cache.ts';
export { type CorpusCheck, checkCorpus, type Finding, findings, soundPairs } from './check.ts';
export { type CleanOptions, type CleanReport, type DropReason, describeDropped } from './clean.ts';
export { type Batch, type ControlIds, collate } from './collate.ts';
export { readPairs, readTextChunks, readTextFile } from './corpus.ts';
export { datesSplit, generateDates } from './dates.ts';
export { EncodedPairs, type EncodePairsOptions, encodePairs } from './encoded.ts';
export { fileHash, textHash } from './hash.ts';
export { type CorpusPart, epochPairs } from './mixture.ts';
export { changeCase, misspell } from './noise.ts';
export type { EncodedPair, NumberedPair, PairSink, PairSource, TextPair } from './pairs.ts';
export type { ShiftedBlock } from './shift.ts';
export { copyTask, reverseTask } from './toys.ts';
