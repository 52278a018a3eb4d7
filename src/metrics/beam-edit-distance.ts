// Levenshtein distance over words within a beam around the diagonal, as sacreBLEU's TER has it, with the alignment it implies.

const BEAM_WIDTH = 25;
const UNREACHABLE = 1_000_000_000;

/** The alignment of the words of hypothesis and reference. */
export interface Alignment {
  /** For each reference word the index of the hypothesis word aligned to it or standing before it; −1 before the first. */
  readonly hypothesisIndexes: readonly number[];
  /** Whether each hypothesis word is to be replaced or deleted. */
  readonly hypothesisErrors: readonly boolean[];
  /** Whether each reference word replaces another or is inserted. */
  readonly referenceErrors: readonly boolean[];
}

/** Measures hypotheses of one length against one reference; words are numbers, equal for equal words. */
export class BeamEditDistance {
  /** rows[i][j]: edits that turn the first i hypothesis words into the first j reference words. */
  private readonly rows: Int32Array[];
  /** The same for a variant of the measured hypothesis. */
  private readonly variantRows: Int32Array[];
  private readonly beams: readonly (readonly [first: number, end: number])[];
  private words: readonly number[] = [];

  constructor(
    private readonly hypothesisLength: number,
    private readonly reference: readonly number[],
  ) {
    const columns = reference.length + 1;
    const emptyRows = () =>
      Array.from({ length: hypothesisLength + 1 }, () => new Int32Array(columns).fill(UNREACHABLE));
    this.rows = emptyRows();
    this.variantRows = emptyRows();
    this.rows[0] = Int32Array.from({ length: columns }, (_, column) => column);
    this.beams = Array.from({ length: hypothesisLength + 1 }, (_, row) => this.beamOf(row));
  }

  /** The edit distance of a hypothesis, to which `align` and `gainOf` then refer. */
  measure(words: readonly number[]): number {
    this.words = words;
    for (let row = 1; row <= this.hypothesisLength; row++) this.fillRow(words, row, this.rows[row - 1], this.rows[row]);
    return this.rows[this.hypothesisLength][this.reference.length];
  }

  /** By how much a variant of the measured hypothesis is nearer; the first `unchangedWords` of both must be equal. */
  gainOf(variant: readonly number[], unchangedWords: number): number {
    let previous = this.rows[unchangedWords];
    for (let row = unchangedWords + 1; row <= this.hypothesisLength; row++) {
      this.fillRow(variant, row, previous, this.variantRows[row]);
      previous = this.variantRows[row];
    }
    return this.rows[this.hypothesisLength][this.reference.length] - previous[this.reference.length];
  }

  /** Of equally short ways, the one that (read from the end) keeps or replaces before it deletes, and deletes before it inserts. */
  align(): Alignment {
    const hypothesisIndexes = new Array<number>(this.reference.length);
    const hypothesisErrors = new Array<boolean>(this.hypothesisLength);
    const referenceErrors = new Array<boolean>(this.reference.length);
    let row = this.hypothesisLength;
    let column = this.reference.length;
    while (row > 0 || column > 0) {
      const edits = this.rows[row][column];
      if (row > 0 && column > 0 && edits === this.rows[row - 1][column - 1] + this.replaceCost(row, column)) {
        row--;
        column--;
        hypothesisIndexes[column] = row;
        hypothesisErrors[row] = this.words[row] !== this.reference[column];
        referenceErrors[column] = hypothesisErrors[row];
      } else if (row > 0 && edits === this.rows[row - 1][column] + 1) {
        row--;
        hypothesisErrors[row] = true;
      } else {
        column--;
        hypothesisIndexes[column] = row - 1;
        referenceErrors[column] = true;
      }
    }
    return { hypothesisIndexes, hypothesisErrors, referenceErrors };
  }

  private replaceCost(row: number, column: number): number {
    return this.words[row - 1] === this.reference[column - 1] ? 0 : 1;
  }

  /** The columns of a row worth computing; all up to the end in the last row. Wider where the lengths differ wildly. */
  private beamOf(row: number): readonly [first: number, end: number] {
    const columns = this.reference.length + 1;
    const lengthRatio = this.hypothesisLength === 0 ? 1 : this.reference.length / this.hypothesisLength;
    const width = BEAM_WIDTH < lengthRatio / 2 ? Math.ceil(lengthRatio / 2 + BEAM_WIDTH) : BEAM_WIDTH;
    const diagonal = Math.floor(row * lengthRatio);
    const end = row === this.hypothesisLength ? columns : Math.min(columns, diagonal + width);
    return [Math.max(0, diagonal - width), end];
  }

  private fillRow(words: readonly number[], row: number, previous: Int32Array, current: Int32Array): void {
    const [first, end] = this.beams[row];
    const { reference } = this;
    const word = words[row - 1];
    let column = first;
    if (column === 0) {
      current[0] = previous[0] + 1;
      column = 1;
    }
    for (; column < end; column++) {
      let edits = previous[column - 1] + (word === reference[column - 1] ? 0 : 1);
      if (previous[column] + 1 < edits) edits = previous[column] + 1;
      if (current[column - 1] + 1 < edits) edits = current[column - 1] + 1;
      current[column] = edits;
    }
  }
}
