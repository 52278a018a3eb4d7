// Attention as a picture of characters: a row for each piece that looks, a column for each piece looked at.

export interface HeatMap {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** [rows][columns], each from 0 to 1. */
  readonly values: readonly ArrayLike<number>[];
}

const shades = [' ', '░', '▒', '▓', '█'];
/** Steps of a blue ramp in the 256 colours of terminals. */
const colours = [16, 17, 18, 19, 20, 26, 32, 38, 44, 50, 87];

/** The lines of the picture: cells in shades of characters, or with `colour` on a ramp of background colours. */
export function drawHeatMap({ rows, columns, values }: HeatMap, { colour }: { colour: boolean }): string[] {
  const margin = Math.max(...rows.map(terminalWidth));
  const widths = columns.map((label) => Math.max(2, terminalWidth(label)));
  const header = columns.map((label, i) => padded(label, widths[i])).join(' ');
  const lines = rows.map((label, i) => {
    const cells = widths.map((cell, k) => drawCell(values[i][k], cell, colour));
    return `${' '.repeat(margin - terminalWidth(label))}${label} ${cells.join(' ')}`;
  });
  return [`${' '.repeat(margin)} ${header}`, ...lines];
}

function drawCell(value: number, cell: number, colour: boolean): string {
  const level = (steps: number) => Math.min(steps - 1, Math.floor(value * steps));
  if (!colour) return shades[level(shades.length)].repeat(cell);
  return `\x1b[48;5;${colours[level(colours.length)]}m${' '.repeat(cell)}\x1b[0m`;
}

function padded(label: string, to: number): string {
  return label + ' '.repeat(to - terminalWidth(label));
}

/** Columns that a text takes on a terminal: East Asian wide characters take two, combining marks none. */
export function terminalWidth(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue;
    columns += /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/.test(
      character,
    )
      ? 2
      : 1;
  }
  return columns;
}
