// A container that scrolls if its content is too wide, by keyboard too.

import type { ComponentChildren } from 'preact';

interface ScrollableProps {
  readonly class?: string;
  /** The label for screen readers. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** Arrow keys scroll it only if it can have the focus. */
const Region = 'section';

export function Scrollable({ class: name = '', label, children }: ScrollableProps) {
  return (
    <Region class={`scrollable ${name}`} aria-label={label} tabIndex={0}>
      {children}
    </Region>
  );
}
