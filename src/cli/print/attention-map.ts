// Attention of a trace as lines for a terminal: a heat map, and how widely each head looks around.

import { HeedError } from '../../base/error.ts';
import { arrayValues, type Trace, type TraceArray } from '../../translate/index.ts';
import { drawHeatMap, terminalWidth } from './heat-map.ts';

export interface AttentionChoice {
  /** cross: the decoder to the source; encoder, decoder: self-attention. */
  readonly kind: 'cross' | 'encoder' | 'decoder';
  /** From 0; default: for cross the layer from which alignments are read, else the last. */
  readonly layer: number | undefined;
  /** From 0; default: the mean of all heads. */
  readonly head: number | undefined;
}

/** What of a trace is drawn. */
export type Drawn = Pick<Trace, 'source' | 'target' | 'attention'>;

export interface Terminal {
  readonly colour: boolean;
  /** Columns of the terminal; undefined: no limit. */
  readonly columns: number | undefined;
}

/** @throws HeedError for a layer or a head that is not there */
export function drawAttention(trace: Drawn, choice: AttentionChoice, terminal: Terminal): string[] {
  const { kind, head } = choice;
  const layers = trace.attention[kind];
  const layer = choice.layer ?? (kind === 'cross' ? trace.attention.alignmentLayer : layers.length - 1);
  checkPlace('--layer', layer, layers.length);
  const array = layers[layer];
  const [heads] = array.shape;
  if (head !== undefined) checkPlace('--head', head, heads);
  const shown = head === undefined ? `mean of ${heads} heads` : `head ${head} of 0–${heads - 1}`;
  const { rows, columns } = labelsOf(trace, kind);
  return [
    `${titles[kind]}, layer ${layer} of 0–${layers.length - 1}, ${shown}. ${legends[kind]}`,
    ...drawWithin(terminal, { rows, columns, values: weightsOf(array, head) }),
    ...entropyLines(array),
  ];
}

const titles = {
  cross: 'Cross-attention of the decoder',
  encoder: 'Self-attention of the encoder',
  decoder: 'Self-attention of the decoder',
};

const decoderRows = 'Rows: the token read → the token expected next.';
const legends = {
  cross: `${decoderRows} Columns: the source.`,
  encoder: 'Rows look at columns.',
  decoder: `${decoderRows} Columns: the tokens read so far.`,
};

/** Layers and heads are numbered from 0, as in the trace. */
function checkPlace(flag: string, place: number, count: number): void {
  if (Number.isInteger(place) && place >= 0 && place < count) return;
  throw new HeedError(flag, `must be a whole number from 0 to ${count - 1}, got ${place}.`);
}

function labelsOf({ source, target }: Drawn, kind: AttentionChoice['kind']): { rows: string[]; columns: string[] } {
  const sourcePieces = source.tokens.map(({ piece }) => piece);
  const targetPieces = target.tokens.map(({ piece }) => piece);
  if (kind === 'encoder') return { rows: sourcePieces, columns: sourcePieces };
  const rows = targetPieces.map((piece, i) => `${piece} → ${target.predictions[i].next.piece}`);
  return { rows, columns: kind === 'cross' ? sourcePieces : targetPieces };
}

/** [rows][columns] of one head, or of their mean. */
function weightsOf(array: TraceArray, head: number | undefined): number[][] {
  const [heads, rows, columns] = array.shape;
  const values = arrayValues(array);
  const chosen = head === undefined ? Array.from({ length: heads }, (_, h) => h) : [head];
  const at = (i: number, j: number) =>
    chosen.reduce((sum, h) => sum + values[(h * rows + i) * columns + j], 0) / chosen.length;
  return Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => at(i, j)));
}

/** Columns too wide for the terminal get numbers for labels, which are explained below. */
function drawWithin({ colour, columns: width }: Terminal, map: Parameters<typeof drawHeatMap>[0]): string[] {
  const lines = drawHeatMap(map, { colour });
  if (width === undefined || terminalWidth(lines[0]) <= width) return lines;
  const numbers = map.columns.map((_, i) => String(i));
  const legend = map.columns.map((label, i) => `${i} ${label}`).join('  ');
  return [...drawHeatMap({ ...map, columns: numbers }, { colour }), `Columns: ${legend}`];
}

/** −Σ p log₂ p of each head, the mean over its rows: 0 looks at one token, log₂ of their number at all alike. */
function entropyLines(array: TraceArray): string[] {
  const [heads, rows, columns] = array.shape;
  const values = arrayValues(array);
  const entropies = Array.from({ length: heads }, (_, head) => {
    const weights = values.subarray(head * rows * columns, (head + 1) * rows * columns);
    return weights.reduce((sum, p) => (p > 0 ? sum - p * Math.log2(p) : sum), 0) / rows;
  });
  const most = Math.log2(columns).toFixed(2);
  const each = entropies.map((entropy, head) => `${head}: ${entropy.toFixed(2)}`).join('  ');
  return [`Entropy of each head in bits (0 looks at one token, ${most} at all alike):`, `  ${each}`];
}
