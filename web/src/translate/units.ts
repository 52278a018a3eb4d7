// Units of highlighting: words, or pieces in scripts without spaces. Each has its position in the text and its pieces.

export interface Span {
  /** Position in the text, in UTF-16 code units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

interface PieceSpan extends Span {
  /** Index of the piece in its sentence. */
  readonly piece: number;
}

interface Unit extends Span {
  readonly pieces: readonly PieceSpan[];
}

export interface Units {
  /** In order. */
  readonly units: readonly Unit[];
  /** Whether unit i is word i. */
  readonly areWords: boolean;
}

/**
 * The units of a text. Words are separated by spaces, both in the text and in its pieces (there ▁ is a space), so `▁The
 * ▁dog , ▁ ▁ran` gives `The`, `dog,`, `ran`. A tokenizer may lower-case or compose characters: so pieces are located
 * within their word only, and the last one extends to its end.
 */
export function unitsOf(text: string, pieces: readonly string[]): Units {
  const words = [...text.matchAll(/[^ ]+/g)].map(({ 0: word, index }) => ({ start: index, end: index + word.length }));
  const groups = groupByWord(pieces);
  if (words.length !== groups.length) return { units: [{ start: 0, end: text.length, pieces: [] }], areWords: false };
  const units = words.flatMap((word, i) => {
    const spans = spansIn(word, groups[i]);
    if (!unspaced.test(text.slice(word.start, word.end))) return [{ ...word, pieces: spans }];
    return unitPerPiece(spans);
  });
  return { units, areWords: units.length === words.length && !unspaced.test(text) };
}

/** Continuation bytes of a character belong to the unit of its first byte. */
function unitPerPiece(spans: readonly PieceSpan[]): Unit[] {
  const units: Unit[] = [];
  for (const span of spans) {
    const before = units.at(-1);
    if (before && span.start === span.end) units[units.length - 1] = { ...before, pieces: [...before.pieces, span] };
    else units.push({ start: span.start, end: span.end, pieces: [span] });
  }
  return units;
}

/** Scripts without spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

interface Piece {
  readonly index: number;
  readonly length: number;
}

/** The pieces of each word; pieces of spaces only belong to none. */
function groupByWord(pieces: readonly string[]): Piece[][] {
  const groups: Piece[][] = [];
  let isBetweenWords = true;
  for (const [index, piece] of pieces.entries()) {
    const isSpace = piece === '▁' || piece === '<0x20>';
    if (isSpace || piece.startsWith('▁')) isBetweenWords = true;
    if (isSpace) continue;
    if (isBetweenWords) groups.push([]);
    isBetweenWords = false;
    groups.at(-1)?.push({ index, length: lengthOf(piece) });
  }
  return groups;
}

/**
 * UTF-16 code units of a piece; of a byte sequence the first byte counts for the whole character: two for a surrogate
 * pair.
 */
function lengthOf(piece: string): number {
  const byte = /^<0x([0-9A-F]{2})>$/.exec(piece)?.[1];
  if (byte === undefined) return piece.replace('▁', '').length;
  const value = Number.parseInt(byte, 16);
  if (value >= 0xf0) return 2;
  return value < 0x80 || value >= 0xc0 ? 1 : 0;
}

function spansIn(word: Span, pieces: readonly Piece[]): PieceSpan[] {
  let at = word.start;
  const spans = pieces.map(({ index, length }) => {
    const start = at;
    at = Math.min(at + length, word.end);
    return { start, end: at, piece: index };
  });
  const last = spans.at(-1);
  return last ? [...spans.slice(0, -1), { ...last, end: word.end }] : [];
}
