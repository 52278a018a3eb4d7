// The parts of a language model's run, from text to batches, graph and model folder. Prints nothing.

import { architectures, buildModel, languageModelOptions, type SequenceModel } from '../../architectures/index.ts';
import { HeedError } from '../../base/error.ts';
import { TokenStream } from '../../language-model/index.ts';
import type { JsonObject } from '../../model/index.ts';
import { learnTokenizerFromStream, type Tokenizer } from '../../text/index.ts';
import { checkOptions, type Trainer, trainingOptions } from '../../train/index.ts';
import { type Estimate, estimateRun } from '../estimate.ts';
import { modelGraph } from '../model-graph.ts';
import { prepareRun, type RunParts } from '../prepare-run.ts';
import { pickOptions } from '../recipe.ts';
import type { RunSetup } from '../task.ts';
import { type LanguageModelRecipe, pathOptions } from './recipe.ts';
import { type RunText, runText, type TextData } from './text.ts';
import { ValidationWindows, WindowBatches } from './window-batches.ts';

export const name = 'language-model';

export async function prepareLanguageModel(setup: RunSetup<LanguageModelRecipe>): Promise<Trainer> {
  const { recipe } = setup;
  const text = await runText(recipe);
  return prepareRun({ name, paths: pathOptions }, setup, {
    hasValidation: text.validation !== undefined,
    hashes: () => text.hashes(),
    tokenizers: async () => {
      const tokenizer = await learnTokenizer(text.training, recipe);
      return { source: tokenizer, target: tokenizer };
    },
    parts: ({ tokenizers }) => partsOf(text, tokenizers.target, recipe),
  });
}

export async function estimateLanguageModel(recipe: LanguageModelRecipe): Promise<Estimate> {
  const options = pickOptions(trainingOptions, recipe);
  const text = await runText(recipe);
  const hasValidation = text.validation !== undefined;
  checkOptions(options, { hasValidation });
  const tokenizer = await learnTokenizer(text.training, recipe);
  const { graph, width, batches, stream } = await trainingParts(text, tokenizer, recipe);
  const data = { tokens: stream.length, pieces: tokenizer.size };
  return estimateRun({ data, graph, width, batches, options, hasValidation });
}

async function partsOf(text: RunText, tokenizer: Tokenizer, recipe: LanguageModelRecipe): Promise<RunParts> {
  const { config, network, stream, ...learned } = await trainingParts(text, tokenizer, recipe);
  const training: JsonObject = JSON.parse(JSON.stringify(recipe));
  const { context, maxTokens, labelSmoothing } = recipe;
  const validation = text.validation && (await encode(text.validation, tokenizer));
  return {
    ...learned,
    model: {
      config,
      sourceTokenizer: tokenizer,
      targetTokenizer: tokenizer,
      generation: { beam: 1 },
      training,
      directions: [],
    },
    validation: validation && {
      graph: modelGraph(network, labelSmoothing),
      batches: new ValidationWindows({ stream: validation, context, maxTokens }),
    },
    data: [{ unit: 'tokens', read: stream.length, used: learned.batches.targetTokens(1), notes: [] }],
    vocabularySizes: [tokenizer.size],
  };
}

async function trainingParts({ training }: RunText, tokenizer: Tokenizer, recipe: LanguageModelRecipe) {
  const { context, maxTokens, seed, labelSmoothing } = recipe;
  const config = architectures
    .get('decoder-only')
    .complete({ ...pickOptions(languageModelOptions, recipe), vocabularySize: tokenizer.size, padId: tokenizer.padId });
  const network = buildModel(config);
  checkContext(network, context);
  const stream = await encode(training, tokenizer);
  return {
    config,
    network,
    stream,
    graph: modelGraph(buildModel(config, { dropout: true }), labelSmoothing),
    width: network.width,
    batches: new WindowBatches({ stream, context, maxTokens, seed }),
  };
}

function checkContext({ maxPositions }: SequenceModel, context: number): void {
  if (context <= maxPositions) return;
  const rule = `context must fit into ${maxPositions} learned positions`;
  throw new HeedError('positions', `${rule}, got ${context}; raise maxPositions or lower the context.`);
}

async function learnTokenizer(data: TextData, recipe: LanguageModelRecipe): Promise<Tokenizer> {
  const { merges, split, lowercase, normalization } = recipe;
  return learnTokenizerFromStream(textsOf(data), { merges, split, lowercase, normalization });
}

async function* textsOf(data: TextData): AsyncGenerator<string> {
  for await (const { text } of data.parts()) yield text;
}

async function encode(data: TextData, tokenizer: Tokenizer): Promise<TokenStream> {
  const stream = new TokenStream(tokenizer);
  for await (const part of data.parts()) stream.append(part);
  return stream;
}
