// Texts under way: a prompt and what is written behind it. A text that fills the context is continued by a new search, of which the
// last half of the context is the prompt.

import { HeedError } from '../base/error.ts';
import { Random } from '../base/random.ts';
import {
  type DecodeOptions,
  type EndReason,
  type HypothesisResult,
  type SearchControl,
  search,
} from '../decode/index.ts';
import { batchesByLength, type GenerationEngine } from '../generate/index.ts';
import { defaultMaxTokens, type Plan } from './options.ts';

export interface Continuation {
  /** Index of the prompt. */
  readonly prompt: number;
  /** Names the random stream. */
  readonly number: number;
  /** Of the prompt, then those written. */
  readonly tokens: readonly number[];
  /** Of each token written, and of END where `reason` is `end`. */
  readonly logProbabilities: readonly number[];
  /** Tokens that may still be written. */
  readonly left: number;
  /** Of the last search; with `length` and tokens left the text goes on. */
  readonly reason: EndReason;
}

export interface ContinuationSetup {
  readonly engine: GenerationEngine;
  /** Tokens of a search at most. */
  readonly context: number;
  /** Ids that are never written, besides START and padding. */
  readonly controlTokens: readonly number[];
}

export type WriteListener = NonNullable<SearchControl['onToken']>;

/**
 * What is written behind each prompt: of each as many texts as asked for, best first.
 * @param onToken called with each token that is written as soon as it is final; greedy search and sampling only
 * @throws HeedError for a beam whose texts would not fit into the context
 */
export async function continuations(
  prompts: readonly (readonly number[])[],
  plan: Plan,
  setup: ContinuationSetup,
  { onToken, signal }: { readonly onToken?: WriteListener; readonly signal?: AbortSignal | undefined },
): Promise<Continuation[][]> {
  let open = prompts.map((tokens, prompt): Continuation => {
    return {
      prompt,
      number: prompt,
      tokens,
      logProbabilities: [],
      left: roomFor(tokens, plan, setup),
      reason: 'length',
    };
  });
  const done: Continuation[] = [];
  for (let round = 0; open.length > 0; round++) {
    const decoding = decodingOf(plan.decoding, round);
    const sized = open.map((continuation, place) => ({ ...continuation, place, length: sizeOf(continuation, setup) }));
    open = [];
    for (const batch of batchesByLength(sized, plan.batchTokens)) {
      for (const next of await continued(batch, decoding, setup, { onToken, signal }))
        (next.reason === 'length' && next.left > 0 ? open : done).push(next);
    }
  }
  return prompts.map((_, prompt) =>
    inOrder(
      done.filter((text) => text.prompt === prompt),
      plan,
    ),
  );
}

/** Tokens that a prompt may get. */
function roomFor({ length }: readonly number[], { decoding, maxTokens }: Plan, { context }: ContinuationSetup): number {
  const wanted = maxTokens ?? defaultMaxTokens;
  if (decoding.beam === 1) return wanted;
  const room = context - length;
  if (room >= 1 && (maxTokens === undefined || maxTokens <= room)) return Math.min(wanted, room);
  const rule = `a beam search must fit into this model's context of ${context} tokens`;
  const got = `got a prompt of ${length} and maxTokens ${wanted}`;
  throw new HeedError(
    'generate',
    `${rule}, ${got}; write less, or use greedy search or sampling, which go on beyond it.`,
  );
}

/** Tokens of the next search at most. */
function sizeOf({ tokens, left }: Continuation, { context }: ContinuationSetup): number {
  return Math.min(context, prefixOf(tokens, context).length + left);
}

function prefixOf(tokens: readonly number[], context: number): readonly number[] {
  return tokens.length < context ? tokens : tokens.slice(tokens.length - Math.floor(context / 2));
}

/** A text that goes on is one sample among others already, and draws from a stream of its own. */
function decodingOf({ sampling, ...decoding }: DecodeOptions, round: number): DecodeOptions {
  const limits = { maxLength: undefined, maxLengthExtra: 0 };
  if (round === 0 || sampling === undefined) return { ...decoding, ...limits, sampling };
  const seed = Random.of(sampling.seed, 'continued', round).uint32();
  return { ...decoding, ...limits, nBest: 1, sampling: { ...sampling, seed } };
}

async function continued(
  batch: readonly Continuation[],
  decoding: DecodeOptions,
  setup: ContinuationSetup,
  { onToken, signal }: { readonly onToken?: WriteListener | undefined; readonly signal?: AbortSignal | undefined },
): Promise<Continuation[]> {
  const { engine, context, controlTokens } = setup;
  const sentences = batch.map((text) => ({
    sourceLength: sizeOf(text, setup), // with no length beyond it: the limit of this text
    prefix: prefixOf(text.tokens, context),
    number: text.number,
  }));
  const model = await engine.start(batch.map(() => new Int32Array()));
  const written: WriteListener = (event) => {
    if (event.position >= sentences[event.sentence].prefix.length) onToken?.(event);
  };
  const control = { signal, controlTokens, ...(onToken === undefined ? {} : { onToken: written }) };
  const results = await search(model, sentences, decoding, control);
  model.release();
  return batch.flatMap((text, i) =>
    results[i].hypotheses.map((hypothesis, sample) => {
      const number = text.number * decoding.nBest + sample;
      return extended({ ...text, number }, hypothesis, sentences[i].prefix.length);
    }),
  );
}

function extended(
  text: Continuation,
  { tokens, logProbabilities, reason }: HypothesisResult,
  prefix: number,
): Continuation {
  const added = tokens.slice(prefix);
  return {
    ...text,
    reason,
    left: text.left - added.length,
    tokens: [...text.tokens, ...added],
    logProbabilities: [...text.logProbabilities, ...logProbabilities.slice(prefix)],
  };
}

/** The order of the search, which texts leave that go on in searches of their own: then by their log-probability. */
function inOrder(texts: readonly Continuation[], { decoding }: Plan): Continuation[] {
  return decoding.sampling === undefined ? [...texts] : texts.toSorted((a, b) => totalOf(b) - totalOf(a));
}

export function totalOf({ logProbabilities }: Pick<Continuation, 'logProbabilities'>): number {
  return logProbabilities.reduce((sum, value) => sum + value, 0);
}
