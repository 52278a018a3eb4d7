// The interface of models for decoding: a function that advances every row by one position. How it is computed, and where states
// are stored, is up to the model.

/** A model started on a batch of sources; one object serves one search. */
export interface StepModel {
  readonly vocabularySize: number;
  /** Feeds the first step; never emitted (unless it is also `endId`, as in fairseq's models). */
  readonly startId: number;
  /** Ends a hypothesis. */
  readonly endId: number;
  /** Never emitted. */
  readonly padId: number;
  /** Advances every row by one position. */
  step(request: StepRequest): Promise<StepScores>;
}

/**
 * A request for one step. Rows are numbered sentence-major: row r belongs to `sentences[floor(r / width)]`.
 * A finished sentence is absent from all later requests; the others keep their order.
 */
export interface StepRequest {
  /** Index, in the batch the model was started with, of each sentence still active; ascending, length B. */
  sentences: Int32Array;
  /** Hypotheses per sentence, the same during a whole search; rows = B × width. Spare rows repeat a live row of their sentence. */
  width: number;
  /** Last token of each row (`startId` at the first step), length rows. */
  tokens: Int32Array;
  /** For each row, the row of the PREVIOUS step's layout that it continues (ignored at the first step), length rows. */
  parents: Int32Array;
  /** With a number: only the best `top` log-probabilities of each row; without: all of them, in order of id. */
  top: number | undefined;
}

/** The results of a step. The arrays may be overwritten by the next step; decoding copies what it keeps. */
export interface StepScores {
  /**
   * [rows, top or vocabularySize], natural logarithms of normalised probabilities; −Infinity is allowed, NaN is an error.
   * With `top`, best first, ties in order of id.
   */
  logProbabilities: Float32Array;
  /** [rows, top], the tokens of these log-probabilities; present when `top` was given. */
  tokens: Int32Array | undefined;
  /**
   * [rows, sourceLength], each a distribution over the source (zero on padding): the cross-attention of the row's new
   * position, which is the one that predicts the next token. Present when the model records it.
   */
  attention: Float32Array | undefined;
}
