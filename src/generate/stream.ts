// Text as it grows, token by token.

import type { TokenEvent } from '../decode/index.ts';

export interface GrowingText<R extends { readonly text: string }> {
  /** Searches; says each token as soon as it is final, and stops within one step once the signal aborts. */
  readonly run: (control: { onToken: (event: TokenEvent) => void; signal: AbortSignal }) => Promise<R>;
  readonly decode: (tokens: readonly number[]) => string;
  readonly signal: AbortSignal | undefined;
}

/** What is new of the text, as often as there is something; all parts together are the result's text. Who stops reading stops the search. */
export async function* streamText<R extends { readonly text: string }>({
  run,
  decode,
  signal,
}: GrowingText<R>): AsyncGenerator<string, R> {
  const stop = new AbortController();
  const passOn = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', passOn, { once: true });
  if (signal?.aborted) passOn();
  const tokens: number[] = [];
  let wake = () => {};
  const outcome: { result?: R } = {};
  const onToken = ({ token }: TokenEvent) => {
    tokens.push(token);
    wake();
  };
  const finished = run({ onToken, signal: stop.signal }).then((value) => {
    outcome.result = value;
  });
  finished.catch(() => {}); // it may fail while nobody waits; whoever waits next hears of it
  try {
    let [shown, read] = ['', 0];
    for (;;) {
      const more = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (tokens.length === read) await Promise.race([more, finished]);
      read = tokens.length;
      const { result } = outcome;
      const text = result?.text ?? settled(decode(tokens));
      if (text.length > shown.length) yield text.slice(shown.length);
      shown = text;
      if (result !== undefined) return result;
    }
  } finally {
    signal?.removeEventListener('abort', passOn);
    stop.abort();
    await finished.catch(() => {});
  }
}

/** A character that is spelled in bytes shows only when it is whole: until then it decodes as U+FFFD. */
function settled(text: string): string {
  return text.replace(/\uFFFD+$/, '');
}
