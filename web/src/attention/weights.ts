// Attention weights: temperature, entropy, row sums, hidden tokens. Rows are always queries, columns are keys.

/** One head's weights, with the words of its two sides. */
export interface WeightMatrix {
  /** The query tokens. */
  readonly rows: readonly string[];
  /** The key tokens. */
  readonly columns: readonly string[];
  /** [rows][columns] */
  readonly values: readonly ArrayLike<number>[];
}

/**
 * The softmax at another temperature τ, from its result alone: softmax(z / τ)_i = p_i^(1/τ) / Σ_j p_j^(1/τ), since
 * p_i^(1/τ) = exp(z_i / τ) up to a factor that the division cancels. A row of zeros (all masked) stays zero.
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

/** −Σ p log₂ p in bits: 0 if one token has all the weight, log₂ n if n tokens have equal weights. */
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

/** The largest weight of all; 1 if all are 0. */
export function strongestOf(heads: readonly (readonly ArrayLike<number>[])[]): number {
  let strongest = 0;
  for (const values of heads) {
    for (const row of values) for (let i = 0; i < row.length; i++) if (row[i] > strongest) strongest = row[i];
  }
  return strongest === 0 ? 1 : strongest;
}

/** The rows and columns at these indices. The weights are not normalised again, so rows may sum to less than 1. */
export function pickValues(
  values: readonly ArrayLike<number>[],
  rows: readonly number[],
  columns: readonly number[],
): Float32Array[] {
  return rows.map((i) => Float32Array.from(columns, (j) => values[i][j]));
}
