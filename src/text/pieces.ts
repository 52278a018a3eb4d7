// The pieces of a vocabulary and the numbers they have:
//   0 <pad>, 1 <s>, 2 </s>, further control tokens; then <0x00> … <0xFF>, the bytes; then characters; then what was merged.
// Text never produces control or byte pieces by their spelling: it is encoded as characters.

import { HeedError } from '../base/error.ts';

/** How a space is spelled in a piece. A ▁ in the text itself is encoded by its bytes. */
export const spaceMark = '▁';

/** The control tokens that every vocabulary begins with; their places in this list are their ids. */
export const standardControlTokens = ['<pad>', '<s>', '</s>'] as const;
export const [padId, startId, endId] = [0, 1, 2];

/** The 256 byte pieces; together they spell any character in UTF-8. `bytePieces[0xe2]` is `<0xE2>`. */
export const bytePieces: readonly string[] = Array.from(
  { length: 256 },
  (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
);

/** Two pieces that encoding joins into one, spelled as in the vocabulary. */
export type Merge = readonly [left: string, right: string];

/** The parts of a vocabulary. */
export interface VocabularyParts {
  /** `<pad>`, `<s>`, `</s>` and the model's own, such as `>>de<<`. */
  readonly controlTokens: readonly string[];
  /** Single characters, ▁ among them. */
  readonly characters: readonly string[];
  /** In order of priority. Two merges may give the same piece: `ab`+`c` and `a`+`bc`. */
  readonly merges: readonly Merge[];
}

/** All pieces, both ways: id → piece and piece → id. */
export class Vocabulary {
  readonly pieces: readonly string[];
  readonly firstByteId: number;
  readonly firstCharacterId: number;
  private readonly ids: ReadonlyMap<string, number>;

  constructor({ controlTokens, characters, merges }: VocabularyParts) {
    const merged = merges.map(([left, right]) => left + right);
    this.pieces = [...new Set([...controlTokens, ...bytePieces, ...characters, ...merged])];
    this.ids = new Map(this.pieces.map((piece, id) => [piece, id]));
    this.firstByteId = controlTokens.length;
    this.firstCharacterId = controlTokens.length + bytePieces.length;
  }

  get size(): number {
    return this.pieces.length;
  }

  idOf(piece: string): number | undefined {
    return this.ids.get(piece);
  }

  isControl(id: number): boolean {
    return id >= 0 && id < this.firstByteId;
  }

  /** The byte that a byte piece stands for, undefined for any other piece. */
  byteOf(id: number): number | undefined {
    return id >= this.firstByteId && id < this.firstCharacterId ? id - this.firstByteId : undefined;
  }
}

/**
 * Checks a list of control tokens.
 * @throws HeedError unless it begins with `<pad>`, `<s>`, `</s>` and each token is distinct, longer than one character,
 * free of white space and ▁, and no byte piece
 */
export function checkControlTokens(place: string, tokens: readonly string[]): void {
  for (const [id, token] of standardControlTokens.entries())
    if (tokens[id] !== token) throw new HeedError(place, `control token ${id} must be ${token}, got ${tokens[id]}.`);
  for (const [id, token] of tokens.entries()) {
    const quoted = JSON.stringify(token);
    if ([...token].length < 2 || /[\s▁\p{Surrogate}]/u.test(token))
      throw new HeedError(place, `a control token is two or more characters without space or ▁, got ${quoted}.`);
    if (tokens.indexOf(token) !== id)
      throw new HeedError(place, `control token ${quoted} is given twice; name it once.`);
    if (bytePieces.includes(token))
      throw new HeedError(place, `control token ${quoted} is a byte's spelling; choose another name.`);
  }
}

/** The pieces that no merge may give. */
export function reservedPieces(controlTokens: readonly string[]): ReadonlySet<string> {
  return new Set([...controlTokens, ...bytePieces]);
}
