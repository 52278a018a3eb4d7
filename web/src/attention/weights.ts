// Attention weights as numbers to look at: temperature, entropy, row sums, hidden tokens. One rule everywhere: a row is a
// token that looks, a column a token that is looked at.

/** One head's weights, with the words of its two sides. */
export interface WeightMatrix {
  /** The tokens that look. */
  readonly rows: readonly string[];
  /** The tokens that are looked at. */
  readonly columns: readonly string[];
  /** [rows][columns] */
  readonly values: readonly ArrayLike<number>[];
}

/**
 * The softmax at another temperature τ, from its result alone: softmax(z / τ)_i = p_i^(1/τ) / Σ_j p_j^(1/τ), since
 * p_i^(1/τ) = exp(z_i / τ) up to a factor that the division takes out. A row of zeros (all masked) stays zero.
 *
 * @param temperature above 0; 1 changes nothing, below 1 sharpens, above 1 flattens
 */
export function atTemperature(row: ArrayLike<number>, temperature: number): Float32Array {
  if (temperature === 1) return Float32Array.from(row);
  let largest = 0;
  for (let i = 0; i < row.length; i++) largest = Math.max(largest, row[i]);
  const result = new Float32Array(row.length);
  if (largest === 0) return result;
  let sum = 0;
  // Relative to the largest, so that low temperatures do not underflow to a row of zeros.
  for (let i = 0; i < row.length; i++) {
    result[i] = (row[i] / largest) ** (1 / temperature);
    sum += result[i];
  }
  for (let i = 0; i < row.length; i++) result[i] /= sum;
  return result;
}

/** −Σ p log₂ p in bits: 0 where one token gets everything, log₂ n where n tokens get equal shares. */
export function entropyBits(row: ArrayLike<number>): number {
  let bits = 0;
  for (let i = 0; i < row.length; i++) if (row[i] > 0) bits -= row[i] * Math.log2(row[i]);
  return Math.max(0, bits);
}

/** Mean entropy of a head's rows, in bits. */
export function meanEntropyBits(values: readonly ArrayLike<number>[]): number {
  if (values.length === 0) return 0;
  return values.reduce((sum, row) => sum + entropyBits(row), 0) / values.length;
}

export function rowSum(row: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < row.length; i++) sum += row[i];
  return sum;
}

/** The largest weight of all; 1 where all are 0. */
export function strongestOf(heads: readonly (readonly ArrayLike<number>[])[]): number {
  let strongest = 0;
  for (const values of heads) {
    for (const row of values) for (let i = 0; i < row.length; i++) if (row[i] > strongest) strongest = row[i];
  }
  return strongest === 0 ? 1 : strongest;
}

/** The rows and columns at these indices. Weights are not made to sum to 1 again: what went to hidden tokens is gone. */
export function pickValues(
  values: readonly ArrayLike<number>[],
  rows: readonly number[],
  columns: readonly number[],
): Float32Array[] {
  return rows.map((i) => Float32Array.from(columns, (j) => values[i][j]));
}
