// The log-probability of given translations: one forward pass over source and target, as in training (teacher forcing).

import { batchInputs, buildModel, type SequenceModel } from '../architectures/index.ts';
import type { LengthPenalty } from '../decode/index.ts';
import { asStored, compileFor, fedWeights, padded } from '../generate/index.ts';
import type { StoredModel } from '../model/index.ts';
import type { Program, Values } from '../runtime/index.ts';
import { crossEntropy, input, outputAt, type Tensor } from '../tensor/index.ts';
import type { DirectionOptions } from './direction.ts';
import type { TranslatorSetup } from './options.ts';

export interface ScorePair {
  readonly source: string;
  /** A text, scored as the tokenizer spells it; or the ids of its pieces, such as `Translation.tokens`. */
  readonly target: string | readonly number[];
}

export interface ScoreOptions extends DirectionOptions {
  /** What the total is divided by, as in decoding. Default and off: `none`. */
  readonly lengthPenalty?: LengthPenalty | string | undefined;
  /** Tokens of the longer side of a batch, padding included, at most. Default 1024. */
  readonly batchTokens?: number | undefined;
  /** Number of the first pair within the whole input, from 0: for error messages. Default 0. */
  readonly firstLine?: number | undefined;
}

export interface PairScore {
  readonly pieces: readonly string[];
  /** Of each piece, and of the end. */
  readonly logProbabilities: readonly number[];
  /** Their sum. */
  readonly total: number;
  /** total / length penalty. */
  readonly score: number;
}

/** Ids of a source, END included, and of a target without START and END. */
export interface IdPair {
  readonly source: ArrayLike<number>;
  readonly target: readonly number[];
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
    private readonly setup: TranslatorSetup,
  ) {
    this.sequenceModel = buildModel(model.config);
  }

  /** Log-probabilities of each target's tokens, END last. Batch mates do not matter. */
  async run(pairs: readonly IdPair[]): Promise<number[][]> {
    const { startId, endId } = this.model.targetTokenizer;
    const { source, target } = this.sequenceModel.vocabulary;
    this.program ??= compileFor(this.model, this.setup, scoringGraph(this.sequenceModel));
    const sources = pairs.map((pair) => pair.source);
    const read = pairs.map((pair) => [startId, ...pair.target]);
    const expected = pairs.map((pair) => [...pair.target, endId]);
    const feeds: [string, Values][] = [
      ...(source === undefined ? [] : [['source', padded(sources, source.padId)] as [string, Values]]),
      ['target', padded(read, target.padId)],
      ['expected', padded(expected, target.padId)],
    ];
    const { negativeLogLikelihood } = await (await this.program).run(
      new Map([...feeds, ...fedWeights(this.model, this.setup)]),
    );
    const [, width] = negativeLogLikelihood.shape;
    return pairs.map(({ target }, row) =>
      Array.from(negativeLogLikelihood.data.subarray(row * width, row * width + target.length + 1), (loss) => -loss),
    );
  }

  async release(): Promise<void> {
    await (await this.program)?.release();
  }
}

/** Log-probabilities of each target's tokens under an ensemble, whose probabilities are the means of its members'. */
export async function scoreTogether(scorers: readonly Scorer[], pairs: readonly IdPair[]): Promise<number[][]> {
  const members = await Promise.all(scorers.map((scorer) => scorer.run(pairs)));
  return members[0].map((row, i) => row.map((_, token) => logMeanExp(members.map((rows) => rows[i][token]))));
}

function logMeanExp(values: readonly number[]): number {
  const highest = Math.max(...values);
  return highest + Math.log(values.reduce((sum, value) => sum + Math.exp(value - highest), 0) / values.length);
}
