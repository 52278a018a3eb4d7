// One training step as a compiled program: forward pass, loss and all gradients in a single graph.

import type { Random } from '../base/random.ts';
import { type Compile, type CompileOptions, type Feeds, ParameterSet, type Program } from '../runtime/index.ts';
import { gradients, type Tensor } from '../tensor/index.ts';
import type { TrainingBatch } from './batches.ts';
import { addRows, type SplitGradient, splitRows } from './gradients/row-gradients.ts';
import type { TrainingGraph } from './graph.ts';

export interface StepResult {
  /** Sums over the batch's target tokens, without padding. */
  readonly loss: number;
  readonly negativeLogLikelihood: number;
  /** Gradients of the summed loss, one array per parameter, in the order of the parameter set. */
  readonly gradients: readonly Float32Array[];
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
    { loss, parameters }: TrainingGraph,
    { seed, threads }: { readonly seed: number } & Pick<CompileOptions, 'threads'>,
  ): Promise<TrainingStep> {
    const slopes = gradients(loss.total, parameters).map(splitRows);
    const outputs = {
      loss: loss.total,
      negativeLogLikelihood: loss.negativeLogLikelihood,
      ...Object.assign({}, ...slopes.map(gradientOutputs)),
    };
    const program = await compile(outputs, { threads, restBetweenRuns: true });
    const rowCounts = slopes.map(({ rows }) => rows.length);
    return new TrainingStep(program, ParameterSet.initialize(parameters, seed), rowCounts);
  }

  /** @param random draws the dropout masks */
  async run(batch: TrainingBatch, random: Random): Promise<StepResult> {
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

/** The results of a program for a gradient, by name. */
function gradientOutputs({ rest, rows }: SplitGradient, index: number): Record<string, Tensor> {
  const named = rowNames(index, rows.length).flatMap(({ ids, updates }, i) => [
    [ids, rows[i].ids],
    [updates, rows[i].updates],
  ]);
  return { ...(rest && { [gradientName(index)]: rest }), ...Object.fromEntries(named) };
}

/** A batch and the parameters as a program's feeds. */
export function feedsOf({ inputs, expected }: TrainingBatch, { parameters }: ParameterSet): Feeds {
  return new Map([
    ...parameters.map((parameter) => [parameter.name, parameter] as const),
    ...inputs,
    ['expected', expected],
  ]);
}
