// How the programs of a model get its weights: built in, which is fast, or read anew at each run, while it trains.

import type { StoredModel } from '../model/index.ts';
import type { Program, Values } from '../runtime/index.ts';
import type { Tensor } from '../tensor/index.ts';
import type { TranslatorSetup } from './options.ts';

export function compileFor(
  { parameters, quantized }: StoredModel,
  { compile, threads, weights = 'constants' }: TranslatorSetup,
  outputs: Readonly<Record<string, Tensor>>,
): Promise<Program> {
  return compile(outputs, {
    ...(threads === undefined ? {} : { threads }),
    ...(weights === 'constants' ? { weights: parameters.weights(), quantized } : {}),
  });
}

/** What each run is fed besides its inputs. */
export function fedWeights({ parameters }: StoredModel, { weights }: TranslatorSetup): [string, Values][] {
  return weights === 'fed' ? parameters.parameters.map((parameter) => [parameter.name, parameter]) : [];
}
