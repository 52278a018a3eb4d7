// A piece for reading: the ▁ that stands for a space is faint.

import type { TraceToken } from '../../../src/translate/index.ts';

export function Piece({ token }: { readonly token: Pick<TraceToken, 'piece' | 'special'> }) {
  const { piece, special } = token;
  if (special) return <span class="piece special">{piece}</span>;
  const isSpaced = piece.startsWith('▁') && piece.length > 1;
  return (
    <span class="piece">
      {isSpaced && <span class="piece-space">▁</span>}
      {isSpaced ? piece.slice(1) : piece}
    </span>
  );
}
