// The translation: each word can be selected by pointer or keyboard; the less probable a piece was, the more it is marked.

import type { ComponentChildren } from 'preact';
import { Notice } from '../design/notice.tsx';
import { words as frameWords } from '../words.ts';
import { active, lit } from './active.ts';
import type { ShownPiece, ShownUnit } from './aligned.ts';
import { CopyButton } from './copy-button.tsx';
import { aligned, isCurrent, outcome, text, translateAgain } from './outcome.ts';
import { WordDetail } from './word-detail.tsx';
import { words } from './words.ts';

export function TargetBox() {
  const { isWorking, failure } = outcome.value;
  const isStale = isWorking || !isCurrent.value;
  return (
    <section class="translate-box panel" aria-label={words.value.target} aria-busy={isWorking}>
      <div class={isStale ? 'reading stale' : 'reading'}>
        <Words />
      </div>
      {failure !== undefined && (
        <Notice>
          {failure}{' '}
          <button type="button" onClick={translateAgain}>
            {frameWords.value.tryAgain}
          </button>
        </Notice>
      )}
      <p class="visually-hidden" aria-live="polite">
        {isStale ? '' : text.value}
      </p>
      <footer class="translate-foot">
        <WordDetail />
        <CopyButton label={words.value.copy} content={() => text.peek()} disabled={text.value === ''} />
      </footer>
    </section>
  );
}

function Words() {
  const units = aligned.value.target;
  if (units.length === 0) return <p dir="auto">{text.value}</p>;
  const reached = active.value?.side === 'target' ? active.value.unit : 0;
  return (
    <div
      role="listbox"
      aria-label={words.value.translated}
      aria-describedby="translate-words-hint"
      aria-orientation="horizontal"
      dir="auto"
      onKeyDown={(event) => stepAmongWords(event, units.length)}
      onPointerLeave={() => {
        active.value = undefined;
      }}
    >
      {units.map((unit, i) => [
        text.value.slice(units[i - 1]?.end ?? 0, unit.start),
        <Word key={i} unit={unit} i={i} isReached={i === reached} />,
      ])}
      {text.value.slice(units.at(-1)?.end)}
    </div>
  );
}

function Word({ unit, i, isReached }: { readonly unit: ShownUnit; readonly i: number; readonly isReached: boolean }) {
  const isActive = active.value?.side === 'target' && active.value.unit === i;
  const become = () => {
    active.value = { side: 'target', unit: i };
  };
  return (
    <span
      role="option"
      class={lit.value.target.has(i) ? 'unit lit' : 'unit'}
      aria-selected={isActive}
      tabIndex={isReached ? 0 : -1}
      onPointerEnter={become}
      onFocus={become}
    >
      {unit.pieces.length === 0 ? text.value.slice(unit.start, unit.end) : unit.pieces.map(tinted)}
    </span>
  );
}

function tinted({ start, end, probability }: ShownPiece, key: number): ComponentChildren {
  return (
    <span key={key} class="piece" style={{ '--doubt': (1 - probability).toFixed(3) }}>
      {text.value.slice(start, end)}
    </span>
  );
}

/** Arrow keys move in reading order; Home and End to the first and last word. */
function stepAmongWords(event: KeyboardEvent & { readonly currentTarget: HTMLElement }, count: number): void {
  const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl';
  const at = active.value?.side === 'target' ? active.value.unit : 0;
  const places: Record<string, number> = {
    ArrowRight: at + (isRightToLeft ? -1 : 1),
    ArrowLeft: at + (isRightToLeft ? 1 : -1),
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: count - 1,
  };
  const place = places[event.key];
  if (place === undefined) return;
  event.preventDefault();
  const options = event.currentTarget.querySelectorAll<HTMLElement>('[role=option]');
  options[Math.min(count - 1, Math.max(0, place))]?.focus();
}
