// Section 5.3: Adam over one buffer of parameters. Its moments are the whole optimizer state. A helper may compute half of
// each update in parallel; since no entry depends on another, the bits are the same.

import type { ParameterSet } from '../runtime/index.ts';
import { type AdamOptions, type AdamStep, adamStep, applyAdam, paperAdam } from './adam-rule.ts';

/** Models with fewer parameters than this gain nothing from a helper. */
const HELPED_FROM = 500_000;

/** A helper's share: the entries of some parameters, concatenated. The moments are in shared memory. */
export interface AdamShare {
  readonly values: Float32Array;
  readonly first: Float32Array;
  readonly second: Float32Array;
}

export interface AdamHelper {
  /** Takes ownership of the gradients: the arrays are empty afterwards. Resolves when the values are updated. */
  update(gradients: readonly Float32Array[], step: AdamStep): Promise<void>;
  release(): Promise<void>;
}

export type StartAdamHelper = (share: AdamShare) => AdamHelper;

export class Adam {
  readonly firstMoment: ParameterSet;
  readonly secondMoment: ParameterSet;
  /** How many of the first parameters it updates itself. */
  private readonly own: number;
  private helper: AdamHelper | undefined;

  /** @param startHelper called at the first update, unless the model is small */
  constructor(
    private readonly parameters: ParameterSet,
    private readonly options: AdamOptions = paperAdam,
    private readonly startHelper?: StartAdamHelper,
  ) {
    const isHelped = startHelper !== undefined && parameters.size >= HELPED_FROM;
    this.firstMoment = parameters.zeros({ shared: isHelped });
    this.secondMoment = parameters.zeros({ shared: isHelped });
    this.own = isHelped ? firstHalf(parameters) : parameters.parameters.length;
  }

  /**
   * One update: θ ← θ − lr · m̂ / (√v̂ + ε), with bias-corrected moments.
   * @param step counted from 1 @param gradients one array per parameter, in order; a helper empties those of its half
   * @param gradientScale a factor of all gradients: 1 / tokens of the step, times the factor of clipping
   */
  async update(
    step: number,
    learningRate: number,
    gradients: readonly Float32Array[],
    gradientScale: number,
  ): Promise<void> {
    const numbers = adamStep(step, { learningRate, gradientScale }, this.options);
    const { own, firstMoment, secondMoment } = this;
    const { parameters } = this.parameters;
    if (own < parameters.length) this.helper ??= this.startHelper?.(this.helpersShare());
    const helped = this.helper?.update(gradients.slice(own), numbers);
    parameters.slice(0, own).forEach(({ data: values }, i) => {
      const [first, second] = [firstMoment, secondMoment].map((moment) => moment.parameters[i].data);
      applyAdam({ values, gradient: gradients[i], first, second }, numbers);
    });
    await helped;
  }

  /** Stops the helper; the next update starts it again. */
  async release(): Promise<void> {
    await this.helper?.release();
    this.helper = undefined;
  }

  private helpersShare(): AdamShare {
    const start = this.parameters.parameters.slice(0, this.own).reduce((sum, { data }) => sum + data.length, 0);
    const [values, first, second] = [this.parameters, this.firstMoment, this.secondMoment].map(({ data }) =>
      data.subarray(start),
    );
    return { values, first, second };
  }
}

/** How many of the first parameters have about half of all entries. */
function firstHalf({ parameters, size }: ParameterSet): number {
  let end = 0;
  const distances = parameters.map(({ data }) => {
    end += data.length;
    return Math.abs(end - size / 2);
  });
  return 1 + distances.indexOf(Math.min(...distances));
}
