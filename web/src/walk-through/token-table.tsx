// The tokens of one side: the input of the model and, for the translation, the next token to predict.

import type { Trace } from '../../../src/translate/index.ts';
import { Piece } from '../inspect/piece.tsx';
import { words } from './words.ts';

interface TokenTableProps {
  readonly trace: Trace;
  readonly side: 'source' | 'target';
  readonly chosen: number;
  readonly onChoose: (row: number) => void;
}

export function TokenTable({ trace, side, chosen, onChoose }: TokenTableProps) {
  const { text, tokens } = trace[side];
  return (
    <div class="token-table">
      <p>
        <span class="hint">{words.value.text}: </span>
        <span class="reading">{text}</span>
      </p>
      <ol class="token-cards">
        {tokens.map((token, i) => (
          <li key={i}>
            <button type="button" aria-pressed={i === chosen} onClick={() => onChoose(i)}>
              <Piece token={token} />
              <span class="hint number">
                <span class="visually-hidden">{words.value.id} </span>
                {token.id}
              </span>
              {side === 'target' && (
                <span class="hint">
                  → <span class="visually-hidden">{words.value.predicts} </span>
                  <Piece token={trace.target.predictions[i].next} />
                </span>
              )}
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}
