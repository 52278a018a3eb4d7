// How the programs of a model get its weights: built in, which is fast, or read anew at each run, while it trains.

import type { StoredModel } from '../model/index.ts';
import type { Compile, CompileOptions, Program, Values } from '../runtime/index.ts';
import type { Tensor } from '../tensor/index.ts';

export interface ProgramSetup {
  readonly compile: Compile;
  /** Threads within an operator; default: all cores. */
  readonly threads?: number | undefined;
  /**
   * constants: weights are built into the programs (fast). fed: each run reads them anew, so that a model in training can be tried as
   * it is. Default `constants`.
   */
  readonly weights?: 'constants' | 'fed' | undefined;
}

/** The part of a model that its programs compute with. */
export type ProgramModel = Pick<StoredModel, 'config' | 'parameters' | 'quantized'>;

export function compileFor(
  { parameters, quantized }: ProgramModel,
  { compile, threads, weights = 'constants' }: ProgramSetup,
  outputs: Readonly<Record<string, Tensor>>,
  options: CompileOptions = {},
): Promise<Program> {
  return compile(outputs, {
    ...options,
    ...(threads === undefined ? {} : { threads }),
    ...(weights === 'constants' ? { weights: parameters.weights(), quantized } : {}),
  });
}

/** What each run is fed besides its inputs. */
export function fedWeights(
  { parameters }: ProgramModel,
  { weights }: Pick<ProgramSetup, 'weights'>,
): [string, Values][] {
  return weights === 'fed' ? parameters.parameters.map((parameter) => [parameter.name, parameter]) : [];
}
