// The trace format: one forward pass over a sentence and its translation, and the search that found it, as plain JSON.
// `heed inspect --json`, the server and the page all use it; docs/trace.md describes it.

import type { ArchitectureConfig } from '../../architectures/index.ts';
import type { EndReason, LengthPenalty, StopReason } from '../../decode/index.ts';

/** What the model computed for one sentence and one translation of it. Every field can be stored as JSON without loss. */
export interface Trace {
  readonly format: 'heed-trace';
  readonly version: 1;
  readonly model: TraceModel;
  readonly source: TraceSource;
  readonly target: TraceTarget;
  readonly attention: TraceAttention;
  /** The requested intermediate results, in the order of the paper; absent with `tensors: 'none'`. */
  readonly tensors?: readonly TraceTensor[];
  /** The search for the model's own translation, if requested; absent for a blank source, which is not searched. */
  readonly search?: SearchTrace;
}

export interface TraceModel {
  /** The last part of the model folder's path. */
  readonly name: string;
  readonly config: ArchitectureConfig;
  /** Number of parameters. */
  readonly parameters: number;
  /** The number format of its matrix products. */
  readonly arithmetic: 'float32' | 'int8';
}

/** A token of the model. */
export interface TraceToken {
  readonly id: number;
  /** ▁ stands for a space: `▁hello`, `ing`, `<0xE2>`, `</s>`. */
  readonly piece: string;
  /** Control tokens only: START, END, target tags. Text never produces them. */
  readonly special?: true;
}

export interface TraceSource {
  readonly text: string;
  /** What the encoder reads: a target tag if the model has them, the pieces, END. A blank text may be END alone. */
  readonly tokens: readonly TraceToken[];
}

export interface TraceTarget {
  /** The translation that the decoder reads (teacher forcing). */
  readonly text: string;
  /** Whether the translation was given by the caller or found by search. A blank source's own is empty. */
  readonly from: 'caller' | 'search';
  /** What the decoder reads: START, then the pieces of the translation. */
  readonly tokens: readonly TraceToken[];
  /** For each token read, the prediction of the next one: `predictions[i]` belongs to `tokens[i]`. */
  readonly predictions: readonly TracePrediction[];
}

/** The model's distribution over the token after a position, before any processor of the search. */
export interface TracePrediction {
  /** The actual next token of the translation: `tokens[i + 1]`, or END after the last. */
  readonly next: TraceCandidate;
  /** The most probable tokens, best first; `candidates` of TraceOptions says how many. */
  readonly best: readonly TraceCandidate[];
}

export interface TraceCandidate extends TraceToken {
  readonly logit: number;
  /** softmax(logits) of the token. */
  readonly probability: number;
  /** The natural logarithm of the probability. */
  readonly logProbability: number;
}

/**
 * Attention weights, an array for each layer, first layer first. Each is [heads, queries, keys]: rows are
 * queries, columns keys, and each row of a head sums to 1.
 *
 * A row belongs to the token READ at that position, not to the one predicted there. So row i of `cross` is
 * `target.tokens[i]`, and it is the attention that led to `target.predictions[i].next`.
 */
export interface TraceAttention {
  /** Encoder self-attention: rows and columns are `source.tokens`. */
  readonly encoder: readonly TraceArray[];
  /** Decoder self-attention: rows and columns are `target.tokens`; 0 right of the diagonal. */
  readonly decoder: readonly TraceArray[];
  /** Attention of the decoder to the source: rows are `target.tokens`, columns `source.tokens`. */
  readonly cross: readonly TraceArray[];
  /** The layer of `cross` from which alignments are read, averaged over its heads. */
  readonly alignmentLayer: number;
}

/** Numbers of a shape, row-major; `arrayValues` reads either form. */
export interface TraceArray {
  readonly shape: readonly number[];
  /** Numbers of 7 significant digits, or the base64 of little-endian float32; one form in the whole trace. */
  readonly values: readonly number[] | string;
}

/**
 * An intermediate result under the name that the model gives it, such as `encoder.layers.0.selfAttention.queries`;
 * docs/trace.md lists the names and shapes. The axis of the batch is left out.
 */
export interface TraceTensor extends TraceArray {
  readonly name: string;
}

/** A beam search as a tree. Greedy search and samples are trees whose branches never fork. */
export interface SearchTrace {
  /** Live hypotheses kept at each step. */
  readonly beam: number;
  readonly lengthPenalty: LengthPenalty;
  /** β of the coverage penalty; 0: off. */
  readonly coveragePenalty: number;
  /** The tree: `nodes[id]` has that id, and parents stand before their children. The first is START, the root. */
  readonly nodes: readonly SearchNode[];
  /** The last nodes of the returned translations, best first. */
  readonly results: readonly number[];
  /** The rule that ended it; with samples and alternatives, that ended the last of them. */
  readonly stop: StopReason;
}

export interface SearchNode {
  readonly id: number;
  /** The node whose hypothesis this one makes one token longer; absent at the root. */
  readonly parent?: number;
  /** The step that considered it, from 0, which is also the place of its token in the output; −1 at the root. */
  readonly position: number;
  /** The token it adds. */
  readonly token: TraceToken;
  /** The model's log-probability of the token. */
  readonly logProbability: number;
  /** The sum over the path, after the processors, by which the search ranks. */
  readonly total: number;
  /** n of the length penalty: tokens on the path, END counted. */
  readonly length: number;
  /** lp(n), the divisor of the total. */
  readonly divisor: number;
  /** total / divisor, plus the coverage penalty if the hypothesis is complete. */
  readonly score: number;
  /** live: kept for the next step. finished: a complete output. pruned: considered, but worse than those kept. */
  readonly status: 'live' | 'finished' | 'pruned';
  /** Why it is complete: `end` (the model ended it), `length` (cut) or `blocked` (every next token was banned). */
  readonly reason?: EndReason;
  /** Whether the node is on the path of the best translation. */
  readonly winning: boolean;
}

/** The numbers of an array of a trace. */
export function arrayValues({ values }: TraceArray): Float32Array {
  if (typeof values !== 'string') return Float32Array.from(values);
  const bytes = Uint8Array.from(atob(values), (character) => character.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}
