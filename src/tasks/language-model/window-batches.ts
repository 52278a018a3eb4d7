// Windows of a text as the batches of a run.

import { HeedError } from '../../base/error.ts';
import { Random } from '../../base/random.ts';
import { consecutiveWindows, type TokenStream, type WindowBatch, windowBatch } from '../../language-model/index.ts';
import type { Batches, Epoch, TrainingBatch } from '../../train/index.ts';

export interface WindowBatchesSetup {
  readonly stream: TokenStream;
  /** Tokens of a window. */
  readonly context: number;
  /** Tokens of a batch at most. */
  readonly maxTokens: number;
  readonly seed: number;
}

/**
 * Share of windows whose first token is read as START. Generation begins there, in the middle of a text too where that has grown
 * beyond the context; one long text alone would show START to the model once.
 */
const startShare = 1 / 8;

/** An example is a window, named by the place of its first token in the stream. */
export class WindowBatches implements Batches {
  private last: { readonly number: number; readonly epoch: Epoch } | undefined;

  /** @throws HeedError if the text is shorter than a window, or a batch is */
  constructor(private readonly setup: WindowBatchesSetup) {
    const { stream, context, maxTokens } = setup;
    if (stream.length <= context) {
      const rule = `the text must have more tokens than a window (context ${context})`;
      throw new HeedError('train', `${rule}, got ${stream.length}; give more text or lower the context.`);
    }
    if (maxTokens < context)
      throw new HeedError('train', `maxTokens must be at least context, got ${maxTokens} and ${context}.`);
  }

  /** Tiles the text from a random offset, in random order; what is left at its ends is no window. */
  epoch(number: number): Epoch {
    if (this.last?.number !== number) this.last = { number, epoch: this.tile(number) };
    return this.last.epoch;
  }

  padding(): number {
    return 0;
  }

  targetTokens(number: number): number {
    const { context } = this.setup;
    return this.epoch(number).batches.reduce((sum, starts) => {
      return sum + windowBatch(this.setup.stream, starts, context).targetTokens;
    }, 0);
  }

  read(starts: Uint32Array, step: number): TrainingBatch[] {
    const { stream, context, seed } = this.setup;
    const batch = windowBatch(stream, starts, context);
    starts.forEach((start, row) => {
      const isStart = Random.of(seed, 'start', step, start).uniform() < startShare;
      if (isStart) batch.target.data[row * context] = stream.tokenizer.startId;
    });
    return [trainingBatch(batch)];
  }

  private tile(number: number): Epoch {
    const { stream, context, maxTokens, seed } = this.setup;
    const random = Random.of(seed, 'windows', number);
    const offset = random.integer(Math.min(context, stream.length - context));
    const count = Math.floor((stream.length - 1 - offset) / context);
    const starts = random.shuffle(Uint32Array.from({ length: count }, (_, window) => offset + window * context));
    const rows = Math.floor(maxTokens / context);
    const batches = Array.from({ length: Math.ceil(count / rows) }, (_, batch) =>
      starts.subarray(batch * rows, (batch + 1) * rows),
    );
    return { batches, leftOut: 0 };
  }
}

/** The whole validation text: the same batches each time. */
export class ValidationWindows implements Iterable<TrainingBatch> {
  constructor(private readonly setup: Omit<WindowBatchesSetup, 'seed'>) {}

  *[Symbol.iterator](): Generator<TrainingBatch> {
    const { stream, context, maxTokens } = this.setup;
    for (const batch of consecutiveWindows(stream, { context, batchTokens: maxTokens })) yield trainingBatch(batch);
  }
}

function trainingBatch({ target, expected, targetTokens }: WindowBatch): TrainingBatch {
  return { inputs: new Map([['target', target]]), expected, targetTokens };
}
