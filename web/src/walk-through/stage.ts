// A stage of the forward pass: its formula, its input and output matrices, and how each number is computed.

export type StageText =
  | 'sourceTokens'
  | 'embedding'
  | 'positions'
  | 'projections'
  | 'crossProjections'
  | 'scores'
  | 'paddingMask'
  | 'causalMask'
  | 'softmax'
  | 'values'
  | 'join'
  | 'addNorm'
  | 'feedForward'
  | 'encoderOutput'
  | 'targetTokens'
  | 'decoderOutput'
  | 'logits'
  | 'probabilities'
  | 'choice'
  | 'beam';

/** The part of the model that a stage belongs to; stages of one part are consecutive. */
export type Part =
  | 'source'
  | 'encoderAttention'
  | 'encoderFeedForward'
  | 'target'
  | 'decoderAttention'
  | 'crossAttention'
  | 'decoderFeedForward'
  | 'output';

export interface Matrix {
  /** Unique within the stage; also the key of its name. */
  readonly id: string;
  /** TeX. */
  readonly symbol: string;
  /** Pieces. */
  readonly rows: readonly string[];
  /** Pieces; undefined if columns are the entries of a vector. */
  readonly columns?: readonly string[] | undefined;
  readonly values: readonly Float32Array[];
  /** `weights` are between 0 and 1; `numbers` may be negative. */
  readonly kind: 'weights' | 'numbers';
}

/** Makes matrices of kind `numbers`, with a row for each of these pieces. */
export function numbersOf(rows: readonly string[]) {
  return (id: string, symbol: string, values: readonly Float32Array[]): Matrix => ({
    id,
    symbol,
    rows,
    values,
    kind: 'numbers',
  });
}

/** A region of a matrix: a cell, or a whole row or column if the other is undefined. */
export interface Region {
  readonly matrix: string;
  readonly row?: number | undefined;
  readonly column?: number | undefined;
}

/** How a number is computed. */
export interface Origin {
  readonly regions: readonly Region[];
  /** The calculation of the number, such as `0.12·0.40 + … = 4.03; 4.03 / √32 = 0.71`. */
  readonly sum: string;
}

export interface Stage {
  /** In the URL: `encoder.scores`. */
  readonly id: string;
  readonly part: Part;
  readonly text: StageText;
  /** Section of the paper. */
  readonly section: string;
  /** TeX. */
  readonly formula: string;
  /** The tokens of the rows of its results. */
  readonly side: 'source' | 'target';
  /** Inputs first. Empty if the stage has its own display: tokens, candidates, the beam. */
  readonly matrices: readonly Matrix[];
  /** The matrix whose cells are explained initially. */
  readonly result: string;
  /** Undefined for matrices of earlier stages. */
  readonly originOf: (matrix: string, row: number, column: number) => Origin | undefined;
}

/** What the calculation needs besides the numbers. */
export interface StageWords {
  /** `… 29 more`, in the language of the page. */
  readonly more: (count: number) => string;
}
