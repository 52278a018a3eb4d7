// Compiles the programs of a model with its weights as constants (fast), or as inputs while it trains.

import type { StoredModel } from '../model/index.ts';
import type { Compile, CompileOptions, Program, Values } from '../runtime/index.ts';
import type { Tensor } from '../tensor/index.ts';

export interface ProgramSetup {
  readonly compile: Compile;
  /** Threads within an operator; default: all cores. */
  readonly threads?: number | undefined;
  /**
   * constants: weights are part of the programs (fast). fed: weights are inputs of each run, so that a model can be used while it
   * is trained. Default `constants`.
   */
  readonly weights?: 'constants' | 'fed' | undefined;
}

/** The part of a model that programs are compiled from. */
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

/** Feeds of each run besides its inputs. */
export function fedWeights(
  { parameters }: ProgramModel,
  { weights }: Pick<ProgramSetup, 'weights'>,
): [string, Values][] {
  return weights === 'fed' ? parameters.parameters.map((parameter) => [parameter.name, parameter]) : [];
}
