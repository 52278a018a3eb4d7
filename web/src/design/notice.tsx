// An error message beside the element that it concerns, announced to screen readers.

import type { ComponentChildren } from 'preact';

export function Notice({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="notice" role="alert">
      {children}
    </div>
  );
}
