// The log-probability of given tokens: one forward pass over the whole sequence, as in training (teacher forcing).

import { batchInputs, buildModel, type SequenceModel } from '../architectures/index.ts';
import type { StoredModel } from '../model/index.ts';
import type { Program, Values } from '../runtime/index.ts';
import { crossEntropy, input, outputAt, type Tensor } from '../tensor/index.ts';
import { padded } from './batches.ts';
import { compileFor, fedWeights, type ProgramSetup } from './programs.ts';
import { asStored } from './state-layout.ts';

/** Ids of a source, END included, and of a target without START and END. */
export interface IdPair {
  /** Not read by a model without an encoder. */
  readonly source: ArrayLike<number>;
  readonly target: readonly number[];
}

/** What one pass reads, int32. */
export interface ScoredBatch {
  /** [B, S]; absent for a model without an encoder. */
  readonly source?: Values;
  /** [B, T], what the model reads. */
  readonly target: Values;
  /** [B, T], what it should predict at each position. */
  readonly expected: Values;
}

/** source [B, S] if there is one, target [B, T] behind START, expected [B, T] → −log p of each expected token [B, T] */
function scoringGraph(model: SequenceModel): Record<string, Tensor> {
  const { source, target } = batchInputs();
  const expected = input('expected', 'int32', ['batch', 'target']);
  const encoded = asStored(model.states, model.encode?.(source) ?? {}); // rounded as in the search
  return { negativeLogLikelihood: outputAt(crossEntropy(model.logits(target, encoded), expected, 0), 1) };
}

export class Scorer {
  private program: Promise<Program> | undefined;
  private readonly sequenceModel: SequenceModel;

  constructor(
    private readonly model: StoredModel,
    private readonly setup: ProgramSetup,
  ) {
    this.sequenceModel = buildModel(model.config);
  }

  /** Log-probabilities of each target's tokens, END last. Batch mates do not matter. */
  async run(pairs: readonly IdPair[]): Promise<number[][]> {
    const { startId, endId } = this.model.targetTokenizer;
    const { source, target } = this.sequenceModel.vocabulary;
    const sources = pairs.map((pair) => pair.source);
    const read = pairs.map((pair) => [startId, ...pair.target]);
    const expected = pairs.map((pair) => [...pair.target, endId]);
    const { shape, data } = await this.losses({
      ...(source === undefined ? {} : { source: padded(sources, source.padId) }),
      target: padded(read, target.padId),
      expected: padded(expected, target.padId),
    });
    const [, width] = shape;
    return pairs.map(({ target }, row) =>
      Array.from(data.subarray(row * width, row * width + target.length + 1), (loss) => -loss),
    );
  }

  /** −log p of each expected token, [B, T], those of padding included. */
  async losses(batch: ScoredBatch): Promise<Values> {
    this.program ??= compileFor(this.model, this.setup, scoringGraph(this.sequenceModel));
    const feeds: [string, Values][] = [...Object.entries(batch), ...fedWeights(this.model, this.setup)];
    const { negativeLogLikelihood } = await (await this.program).run(new Map(feeds));
    return negativeLogLikelihood;
  }

  async release(): Promise<void> {
    await (await this.program)?.release();
  }
}
