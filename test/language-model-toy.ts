// A small language model: random weights that are far from uniform, so that searches differ, beside a tokenizer of characters.

import { architectures } from '../src/architectures/index.ts';
import { batchLogits, buildModel } from '../src/architectures/registry.ts';
import type { StoredModel } from '../src/model/index.ts';
import { ParameterSet, parametersOf } from '../src/runtime/index.ts';
import { learnTokenizer } from '../src/text/index.ts';

export const toyText = 'the cat sat on the mat.\nthe dog sat on the log.\n'.repeat(3);
const tokenizer = learnTokenizer([toyText], { merges: 12 });

export function toyLanguageModel(
  options: Readonly<Record<string, unknown>> = {},
  training: StoredModel['training'] = {},
): StoredModel {
  const sizes = { vocabularySize: tokenizer.size, dModel: 32, heads: 4, dInner: 64, layers: 2 };
  const config = architectures.get('decoder-only').complete({ ...sizes, norm: 'pre', activation: 'gelu', ...options });
  const parameters = ParameterSet.initialize(parametersOf([batchLogits(buildModel(config))]), 3);
  for (let i = 0; i < parameters.data.length; i++) parameters.data[i] *= 1.5;
  return {
    config,
    parameters,
    sourceTokenizer: tokenizer,
    targetTokenizer: tokenizer,
    generation: {},
    training,
    directions: [],
  };
}
