// A part that scrolls by itself where it is too wide, by keyboard too.

import type { ComponentChildren } from 'preact';

interface ScrollableProps {
  readonly class?: string;
  /** What screen readers call it. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** Focus is what lets arrow keys scroll it. */
const Region = 'section';

export function Scrollable({ class: name = '', label, children }: ScrollableProps) {
  return (
    <Region class={`scrollable ${name}`} aria-label={label} tabIndex={0}>
      {children}
    </Region>
  );
}
