// What went wrong, said beside the thing that it went wrong with, and read out to those who do not see it.

import type { ComponentChildren } from 'preact';

export function Notice({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="notice" role="alert">
      {children}
    </div>
  );
}
