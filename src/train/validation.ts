// How well a model predicts held-out text, given the words before: loss, perplexity, token accuracy.

import type { SequenceModel } from '../architectures/index.ts';
import { batchIndices, type ControlIds, collate, type PairSource, pairLengths } from '../data/index.ts';
import type { Compile, ParameterSet, Program } from '../runtime/index.ts';
import { largest } from '../tensor/index.ts';
import type { TrainingOptions } from './options.ts';
import { checkPositions } from './positions.ts';
import { feedsOf, trainingGraph } from './step.ts';

export interface ValidationResult {
  /** Mean smoothed loss per target token. */
  readonly loss: number;
  readonly perplexity: number;
  readonly accuracy: number;
}

export class Validation {
  private constructor(
    private readonly program: Program,
    private readonly pairs: PairSource,
    private readonly ids: { readonly source: ControlIds; readonly target: ControlIds },
    private readonly maxTokens: number,
  ) {}

  /** @param model without dropout */
  static async compile(
    compile: Compile,
    model: SequenceModel,
    {
      pairs,
      ids,
      options,
    }: {
      pairs: PairSource;
      ids: { readonly source: ControlIds; readonly target: ControlIds };
      options: TrainingOptions;
    },
  ): Promise<Validation> {
    checkPositions(model, pairLengths(pairs));
    const { loss, logits } = trainingGraph(model, options.labelSmoothing);
    const outputs = { loss: loss.total, negativeLogLikelihood: loss.negativeLogLikelihood, choices: largest(logits) };
    const program = await compile(outputs, options.threads === undefined ? {} : { threads: options.threads });
    return new Validation(program, pairs, ids, options.maxTokens);
  }

  async run(parameters: ParameterSet): Promise<ValidationResult> {
    const totals = { loss: 0, negativeLogLikelihood: 0, correct: 0, tokens: 0 };
    const { batches } = batchIndices(pairLengths(this.pairs), { maxTokens: this.maxTokens, seed: 0, epoch: 0 });
    for (const indices of batches) {
      const batch = collate(
        Array.from(indices, (index) => this.pairs.pair(index)),
        this.ids,
      );
      const results = await this.program.run(feedsOf(batch, parameters));
      totals.loss += results.loss.data[0];
      totals.negativeLogLikelihood += results.negativeLogLikelihood.data[0];
      totals.tokens += batch.targetTokens;
      const { padId } = this.ids.target;
      batch.expected.forEach((id, i) => {
        if (id !== padId && id === results.choices.data[i]) totals.correct++;
      });
    }
    return {
      loss: totals.loss / totals.tokens,
      perplexity: Math.exp(totals.negativeLogLikelihood / totals.tokens),
      accuracy: totals.correct / totals.tokens,
    };
  }
}
