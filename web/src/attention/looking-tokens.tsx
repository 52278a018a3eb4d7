// The query tokens as buttons: under the pointer or focused, a token shows its lines alone; pressed, it stays alone.

import type { TargetedKeyboardEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { TraceToken } from '../../../src/translate/index.ts';
import { Piece } from '../inspect/piece.tsx';
import { words } from './words.ts';

interface LookingTokensProps {
  readonly tokens: readonly TraceToken[];
  readonly isolated: number | undefined;
  /** Which arrow keys move between tokens. */
  readonly isVertical: boolean;
  readonly describedBy: string;
  readonly onHover: (row: number | undefined) => void;
  readonly onIsolate: (row: number | undefined) => void;
}

export function LookingTokens({ tokens, isolated, isVertical, describedBy, onHover, onIsolate }: LookingTokensProps) {
  const list = useRef<HTMLOListElement>(null);
  const [reached, setReached] = useState(0);
  const stop = Math.min(isolated ?? reached, tokens.length - 1);
  const press = (event: TargetedKeyboardEvent<HTMLElement>, row: number) => {
    const next = neighbour(event.key, row, { count: tokens.length, isVertical });
    if (next !== undefined) {
      event.preventDefault();
      setReached(next);
      list.current?.querySelectorAll('button')[next].focus();
    } else if (event.key === 'Escape') {
      onIsolate(undefined);
    }
  };
  return (
    <ol class="line-tokens looking" ref={list} aria-label={words.value.looking}>
      {tokens.map((token, row) => (
        <li key={row}>
          <button
            type="button"
            aria-pressed={row === isolated}
            aria-describedby={describedBy}
            tabIndex={row === stop ? 0 : -1}
            onPointerEnter={() => onHover(row)}
            onPointerLeave={() => onHover(undefined)}
            onFocus={() => onHover(row)}
            onBlur={() => onHover(undefined)}
            onClick={() => onIsolate(row === isolated ? undefined : row)}
            onKeyDown={(event) => press(event, row)}
          >
            <Piece token={token} />
          </button>
        </li>
      ))}
    </ol>
  );
}

function neighbour(
  key: string,
  row: number,
  { count, isVertical }: { readonly count: number; readonly isVertical: boolean },
): number | undefined {
  const [back, forth] = isVertical ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
  if (key === back) return Math.max(0, row - 1);
  if (key === forth) return Math.min(count - 1, row + 1);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
