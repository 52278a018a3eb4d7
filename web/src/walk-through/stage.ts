// A stage of the forward pass: its formula, the matrices that go in and come out, and where each number comes from.

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

/** Where in the model a stage stands; stages of one part follow each other. */
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
  /** Unique within the stage; what it is called in words. */
  readonly id: string;
  /** TeX. */
  readonly symbol: string;
  /** Pieces. */
  readonly rows: readonly string[];
  /** Pieces; undefined where columns are the places of a vector. */
  readonly columns?: readonly string[] | undefined;
  readonly values: readonly Float32Array[];
  /** `weights` lie between 0 and 1; `numbers` go both ways. */
  readonly kind: 'weights' | 'numbers';
}

/** Makes matrices of plain numbers, one row for each of these pieces. */
export function numbersOf(rows: readonly string[]) {
  return (id: string, symbol: string, values: readonly Float32Array[]): Matrix => ({
    id,
    symbol,
    rows,
    values,
    kind: 'numbers',
  });
}

/** A part of a matrix: a cell, or a whole row or column where the other is undefined. */
export interface Region {
  readonly matrix: string;
  readonly row?: number | undefined;
  readonly column?: number | undefined;
}

/** Where a number comes from. */
export interface Origin {
  readonly regions: readonly Region[];
  /** The little sum that gives the number, such as `0.12·0.40 + … = 4.03; 4.03 / √32 = 0.71`. */
  readonly sum: string;
}

export interface Stage {
  /** In the address: `encoder.scores`. */
  readonly id: string;
  readonly part: Part;
  readonly text: StageText;
  /** Of the paper. */
  readonly section: string;
  /** TeX. */
  readonly formula: string;
  /** Which tokens the rows of its results are. */
  readonly side: 'source' | 'target';
  /** Inputs first. Empty where the stage is drawn in its own way: tokens, candidates, the beam. */
  readonly matrices: readonly Matrix[];
  /** The matrix whose cells are explained at first. */
  readonly result: string;
  /** Undefined for matrices that come from stages before. */
  readonly originOf: (matrix: string, row: number, column: number) => Origin | undefined;
}

/** What a sum needs besides the numbers. */
export interface StageWords {
  /** `… 29 more`, in the language of the page. */
  readonly more: (count: number) => string;
}
