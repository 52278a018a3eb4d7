// Validation by teacher forcing: loss, perplexity and token accuracy.

import type { Compile, ParameterSet, Program } from '../runtime/index.ts';
import { largest } from '../tensor/index.ts';
import type { TrainingBatch } from './batches.ts';
import type { TrainingGraph } from './graph.ts';
import { feedsOf } from './step.ts';

export interface ValidationSetup {
  /** The training graph without dropout. */
  readonly graph: TrainingGraph;
  /** The whole validation text. Each iteration gives the same batches in the same order. */
  readonly batches: Iterable<TrainingBatch>;
}

export interface ValidationResult {
  /** Mean smoothed loss per target token. */
  readonly loss: number;
  readonly perplexity: number;
  readonly accuracy: number;
}

export class Validation {
  private constructor(
    private readonly program: Program,
    private readonly setup: ValidationSetup,
  ) {}

  static async compile(
    compile: Compile,
    setup: ValidationSetup,
    { threads }: { readonly threads?: number | undefined } = {},
  ): Promise<Validation> {
    const { loss, logits } = setup.graph;
    const outputs = { loss: loss.total, negativeLogLikelihood: loss.negativeLogLikelihood, predicted: largest(logits) };
    return new Validation(await compile(outputs, { threads }), setup);
  }

  async run(parameters: ParameterSet): Promise<ValidationResult> {
    const { padId } = this.setup.graph;
    const totals = { loss: 0, negativeLogLikelihood: 0, correct: 0, tokens: 0 };
    for (const batch of this.setup.batches) {
      const results = await this.program.run(feedsOf(batch, parameters));
      totals.loss += results.loss.data[0];
      totals.negativeLogLikelihood += results.negativeLogLikelihood.data[0];
      totals.tokens += batch.targetTokens;
      batch.expected.data.forEach((id, i) => {
        if (id !== padId && id === results.predicted.data[i]) totals.correct++;
      });
    }
    return {
      loss: totals.loss / totals.tokens,
      perplexity: Math.exp(totals.negativeLogLikelihood / totals.tokens),
      accuracy: totals.correct / totals.tokens,
    };
  }
}
