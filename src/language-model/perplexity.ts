// How well a language model predicts a text: by windows that do not overlap, as validation has it.

import type { Scorer } from '../generate/index.ts';
import { splitLines, type Tokenizer } from '../text/index.ts';
import { TokenStream } from './token-stream.ts';
import { consecutiveWindows } from './windows.ts';

export interface PerplexityOptions {
  /** Tokens of a window: how many tokens before it each is predicted from, at most. Default: what the model was trained with. */
  readonly context?: number | undefined;
  /** What begins with START and ends with END: the whole text, or each line. Default: what the model was trained with. */
  readonly documents?: 'text' | 'lines' | undefined;
  /** Tokens of a batch at most; it changes the speed only. Default 4096. */
  readonly batchTokens?: number | undefined;
}

export interface Perplexity {
  /** Predicted tokens, the END of each document included. */
  readonly tokens: number;
  /** Unicode characters of the documents. */
  readonly characters: number;
  /** −log p of all tokens together, natural logarithm. */
  readonly nats: number;
  readonly perToken: number;
  readonly perCharacter: number;
  /** exp(perToken) */
  readonly perplexity: number;
}

/** @param text with at least one token to predict, which END is */
export async function perplexityOf(
  text: string,
  { scorer, tokenizer }: { readonly scorer: Scorer; readonly tokenizer: Tokenizer },
  { context, documents, batchTokens }: Required<{ [K in keyof PerplexityOptions]: NonNullable<PerplexityOptions[K]> }>,
): Promise<Perplexity> {
  const texts = documents === 'text' ? [text] : splitLines(text).filter((line) => line.trim() !== '');
  const stream = new TokenStream(tokenizer);
  for (const document of texts) stream.append({ text: document, isFirst: true, isLast: true });
  let [nats, tokens] = [0, 0];
  for (const { target, expected, targetTokens } of consecutiveWindows(stream, { context, batchTokens })) {
    const losses = await scorer.losses({ target, expected });
    expected.data.forEach((id, i) => {
      if (id !== tokenizer.padId) nats += losses.data[i];
    });
    tokens += targetTokens;
  }
  const characters = texts.reduce((sum, document) => sum + [...document].length, 0);
  const perToken = nats / tokens;
  return { tokens, characters, nats, perToken, perCharacter: nats / characters, perplexity: Math.exp(perToken) };
}
