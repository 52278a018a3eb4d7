// Copies a text to the clipboard and confirms it for a moment.

import { useSignal } from '@preact/signals';
import { words } from './words.ts';

interface CopyButtonProps {
  readonly label: string;
  readonly content: () => string;
  /** Default false. */
  readonly disabled?: boolean;
}

export function CopyButton({ label, content, disabled = false }: CopyButtonProps) {
  const said = useSignal<'copied' | 'copyFailed' | undefined>(undefined);
  const copy = async () => {
    said.value = (await isCopied(content())) ? 'copied' : 'copyFailed';
    setTimeout(() => {
      said.value = undefined;
    }, saidMs);
  };
  return (
    <span class="copy" aria-live="polite">
      <button type="button" class="quiet" disabled={disabled} onClick={copy}>
        {said.value ? words.value[said.value] : label}
      </button>
    </span>
  );
}

const saidMs = 2000;

/** Browsers allow the clipboard only on localhost and over HTTPS. */
async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
