// A model in memory: architecture, weights and tokenizers, and how it was trained and is to be decoded with.

import type { ArchitectureConfig } from '../architectures/index.ts';
import type { QuantizedMatrix } from '../onnx/index.ts';
import type { ParameterSet } from '../runtime/index.ts';
import type { Tokenizer } from '../text/index.ts';
import type { Direction } from './directions.ts';
import type { JsonObject } from './json.ts';

export interface StoredModel {
  readonly config: ArchitectureConfig;
  readonly parameters: ParameterSet;
  /** Matrices that inference uses in int8, by name; undefined: it uses floats. */
  readonly quantized?: ReadonlyMap<string, QuantizedMatrix> | undefined;
  readonly sourceTokenizer: Tokenizer;
  /** The same object as `sourceTokenizer` if both sides share one. */
  readonly targetTokenizer: Tokenizer;
  /** Decoding defaults, such as `{ beam: 4, lengthPenalty: 'gnmt:0.6' }`; checked on use. */
  readonly generation: JsonObject;
  /** The resolved configuration of the training run. */
  readonly training: JsonObject;
  /** What the model translates, as `directionsOf` reads it from the training run; none if that names no languages. */
  readonly directions: readonly Direction[];
}
