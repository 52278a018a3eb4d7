// One training step as a compiled program: forward pass, loss and all gradients in a single graph.

import { batchLogits, type SequenceModel } from '../architectures/index.ts';
import type { Random } from '../base/random.ts';
import type { Batch } from '../data/index.ts';
import {
  type Compile,
  type CompileOptions,
  ParameterSet,
  type Program,
  parametersOf,
  type Values,
} from '../runtime/index.ts';
import { gradients, input, type Tensor } from '../tensor/index.ts';
import { type Loss, sequenceLoss } from './loss.ts';
import { addRows, type SplitGradient, splitRows } from './row-gradients.ts';

export interface StepResult {
  /** Sums over the batch's real target tokens. */
  readonly loss: number;
  readonly negativeLogLikelihood: number;
  /** Gradients of the summed loss, one array a parameter, in the order of the parameter set. */
  readonly gradients: readonly Float32Array[];
}

export interface TrainingGraph {
  readonly loss: Loss;
  readonly logits: Tensor;
  readonly parameters: readonly Tensor[];
}

/** source, target and expected ids → loss; nothing is computed yet. */
export function trainingGraph(model: SequenceModel, smoothing: number): TrainingGraph {
  const expected = input('expected', 'int32', ['batch', 'target']);
  const logits = batchLogits(model); // [batch, target, V]
  const loss = sequenceLoss(logits, expected, { padId: model.vocabulary.target.padId, smoothing });
  return { loss, logits, parameters: parametersOf([loss.total]) };
}

export class TrainingStep {
  private constructor(
    private readonly program: Program,
    readonly parameters: ParameterSet,
    /** For each parameter, how many row gradients are added to the rest of its gradient. */
    private readonly rowCounts: readonly number[],
  ) {}

  /** Compiles the step; the parameters start from the seed. */
  static async compile(
    compile: Compile,
    model: SequenceModel,
    { smoothing, seed, ...options }: { smoothing: number; seed: number } & Pick<CompileOptions, 'threads'>,
  ): Promise<TrainingStep> {
    const { loss, parameters } = trainingGraph(model, smoothing);
    const slopes = gradients(loss.total, parameters).map(splitRows);
    const outputs = {
      loss: loss.total,
      negativeLogLikelihood: loss.negativeLogLikelihood,
      ...Object.assign({}, ...slopes.map(gradientOutputs)),
    };
    const program = await compile(outputs, { ...options, restBetweenRuns: true });
    const rowCounts = slopes.map(({ rows }) => rows.length);
    return new TrainingStep(program, ParameterSet.initialize(parameters, seed), rowCounts);
  }

  /** @param random draws the dropout masks */
  async run(batch: Batch, random: Random): Promise<StepResult> {
    const results = await this.program.run(feedsOf(batch, this.parameters), random);
    return {
      loss: results.loss.data[0],
      negativeLogLikelihood: results.negativeLogLikelihood.data[0],
      gradients: this.parameters.parameters.map(({ data }, i) => {
        const rest = results[gradientName(i)]?.data as Float32Array | undefined;
        const sums = rest ?? new Float32Array(data.length);
        for (const name of rowNames(i, this.rowCounts[i]))
          addRows(sums, results[name.ids].data, results[name.updates].data as Float32Array);
        return sums;
      }),
    };
  }
}

function gradientName(index: number): string {
  return `gradient.${index}`;
}

function rowNames(index: number, count: number): { ids: string; updates: string }[] {
  return Array.from({ length: count }, (_, i) => ({ ids: `ids.${index}.${i}`, updates: `updates.${index}.${i}` }));
}

/** What the program computes of a gradient, by name. */
function gradientOutputs({ rest, rows }: SplitGradient, index: number): Record<string, Tensor> {
  const named = rowNames(index, rows.length).flatMap(({ ids, updates }, i) => [
    [ids, rows[i].ids],
    [updates, rows[i].updates],
  ]);
  return { ...(rest && { [gradientName(index)]: rest }), ...Object.fromEntries(named) };
}

/** A batch and the parameters as a program's feeds. */
export function feedsOf(batch: Batch, parameters: ParameterSet): Map<string, Values> {
  const feeds = new Map<string, Values>(parameters.parameters.map((parameter) => [parameter.name, parameter]));
  feeds.set('source', { shape: [batch.rows, batch.sourceLength], data: batch.source });
  feeds.set('target', { shape: [batch.rows, batch.targetLength], data: batch.decoderInput });
  feeds.set('expected', { shape: [batch.rows, batch.targetLength], data: batch.expected });
  return feeds;
}
