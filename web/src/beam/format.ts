// Formats of the numbers of a search.

/** Three decimals and a real minus sign. */
export function formatNumber(value: number): string {
  const text = Math.abs(value).toFixed(3);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** exp of a log-probability, in percent: `83.9 %`. */
export function formatProbability(logProbability: number): string {
  const percent = 100 * Math.exp(logProbability);
  return `${percent >= 10 ? percent.toFixed(1) : percent.toPrecision(2)} %`;
}
