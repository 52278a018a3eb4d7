// Converts a model to the contents of its files and back. Does not access the file system, so that pages can use it.

import { type ArchitectureConfig, buildModel, type VocabularyFacts } from '../architectures/index.ts';
import { HeedError } from '../base/error.ts';
import { ParameterSet, parametersOf } from '../runtime/index.ts';
import { Tokenizer } from '../text/index.ts';
import { formatConfigFile, parseConfigFile } from './config-file.ts';
import { directionsOf } from './directions.ts';
import { formatJson, parseJsonObject } from './json.ts';
import { quantizedArrays, readQuantized, wholeModel, withActivationRanges } from './quantize.ts';
import { decodeSafetensors, encodeSafetensors } from './safetensors.ts';
import type { StoredModel } from './stored-model.ts';

export const fileNames = {
  config: 'config.json',
  weights: 'model.safetensors',
  tokenizer: 'tokenizer.json',
  sourceTokenizer: 'tokenizer.source.json',
  targetTokenizer: 'tokenizer.target.json',
  generation: 'generation.json',
  card: 'README.md',
} as const;

/** One tokenizer for both sides, or one for each. */
export type TokenizerFiles = { readonly joint: string } | { readonly source: string; readonly target: string };

/** The contents of a model folder. */
export interface ModelFiles {
  readonly config: string;
  readonly weights: Uint8Array;
  readonly tokenizers: TokenizerFiles;
  /** Default `{}`: the defaults of decoding. */
  readonly generation?: string;
}

/** @throws HeedError if the tokenizers do not fit the configuration */
export function formatModel(model: StoredModel): ModelFiles {
  checkTokenizers(model, 'model');
  return {
    config: formatConfigFile(model),
    weights: encodeSafetensors(quantizedArrays(model.parameters, model.quantized ?? new Map()), { format: 'heed' }),
    tokenizers: formatTokenizers(model),
    generation: formatJson(model.generation),
  };
}

/**
 * The model that the files describe.
 * @param place the folder's name or address, for error messages
 * @throws HeedError naming the file and what is wrong with it, alone or beside the others
 */
export function parseModel(files: ModelFiles, place: string): StoredModel {
  const { config, training } = parseConfigFile(files.config, `${place}/${fileNames.config}`);
  const generation = parseJsonObject(files.generation ?? '{}', `${place}/${fileNames.generation}`);
  const tokenizers = parseTokenizers(files.tokenizers, place);
  checkTokenizers({ config, ...tokenizers }, place);
  const weights = parseWeights(files.weights, config, `${place}/${fileNames.weights}`);
  const directions = directionsOf(tokenizers.sourceTokenizer, training);
  return { config, ...weights, ...tokenizers, generation, training, directions };
}

function parseWeights(weights: Uint8Array, config: ArchitectureConfig, place: string) {
  const { arrays, quantized } = readQuantized(decodeSafetensors(weights, place));
  const outputs = wholeModel(config);
  const parameters = ParameterSet.zerosOf(parametersOf(outputs));
  parameters.assign(arrays, place);
  return { parameters, quantized: quantized && withActivationRanges(quantized, parameters, outputs) };
}

type Tokenizers = Pick<StoredModel, 'sourceTokenizer' | 'targetTokenizer'>;

function formatTokenizers({ sourceTokenizer, targetTokenizer }: Tokenizers): TokenizerFiles {
  const source = JSON.stringify(sourceTokenizer);
  if (sourceTokenizer === targetTokenizer) return { joint: source };
  const target = JSON.stringify(targetTokenizer);
  return source === target ? { joint: source } : { source, target };
}

function parseTokenizers(files: TokenizerFiles, place: string): Tokenizers {
  if ('joint' in files) {
    const tokenizer = Tokenizer.fromJSON(files.joint, `${place}/${fileNames.tokenizer}`);
    return { sourceTokenizer: tokenizer, targetTokenizer: tokenizer };
  }
  return {
    sourceTokenizer: Tokenizer.fromJSON(files.source, `${place}/${fileNames.sourceTokenizer}`),
    targetTokenizer: Tokenizer.fromJSON(files.target, `${place}/${fileNames.targetTokenizer}`),
  };
}

/** Checks that embeddings have one row per piece, and that tokenizers and model agree on padding. */
function checkTokenizers({ config, ...tokenizers }: Tokenizers & { config: ArchitectureConfig }, place: string): void {
  const { source, target, isShared } = buildModel(config).vocabulary;
  if (source !== undefined) checkTokenizer('source', tokenizers.sourceTokenizer, source, place);
  checkTokenizer('target', tokenizers.targetTokenizer, target, place);
  const isOne = tokenizers.sourceTokenizer === tokenizers.targetTokenizer;
  if (isShared && !isOne && !('joint' in formatTokenizers(tokenizers))) {
    const rule = 'tied embeddings need one tokenizer for both sides';
    throw new HeedError(place, `${rule}, got two different ones; use the files that the model was trained with.`);
  }
}

function checkTokenizer(side: string, tokenizer: Tokenizer, { size, padId }: VocabularyFacts, place: string): void {
  if (tokenizer.size !== size) {
    const got = `the ${side} tokenizer has ${tokenizer.size} pieces, the ${side} embedding ${size} rows`;
    throw new HeedError(place, `${got}; they must be equal: use the tokenizer that the model was trained with.`);
  }
  if (tokenizer.padId !== padId) {
    const got = `the ${side} tokenizer pads with ${tokenizer.padId}, config.json says ${padId}`;
    throw new HeedError(place, `${got}; use the files that the model was trained with.`);
  }
}
