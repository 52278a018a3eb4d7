// heed train --dry-run: what a recipe will take, from its text and a few timed updates. Nothing is written.

import { Random } from '../base/random.ts';
import { type CleanReport, type EncodedPair, type PairSource, pairLengths } from '../data/index.ts';
import type { TransformerConfig } from '../nn/index.ts';
import { compile } from '../runtime/node/index.ts';
import { topologicalOrder } from '../tensor/index.ts';
import {
  Adam,
  BatchSource,
  checkOptions,
  GradientSum,
  learningRate,
  paperAdam,
  TrainingStep,
  trainingGraph,
  trainingOptions,
} from '../train/index.ts';
import { startAdamThread } from '../train/node.ts';
import { type Corpus, encodeCorpora } from './corpora.ts';
import { pickOptions, type Recipe } from './recipe.ts';
import { duration, grouped, print } from './terminal.ts';
import { learnTokenizers } from './tokenizers.ts';
import { configOf } from './train-model.ts';

export interface DryRunReport {
  readonly pairs: number;
  readonly pieces: { readonly source: number; readonly target: number };
  readonly parameters: number;
  /** Bytes that training holds; activations by the sizes of the forward pass's results for the largest batch. */
  readonly memory: {
    readonly weights: number;
    readonly gradients: number;
    readonly moments: number;
    readonly activations: number;
    /** The most that this process held while it was timed. */
    readonly peakResident: number;
  };
  /** Padded tokens of an update at most, on either side. */
  readonly tokensPerUpdate: number;
  readonly targetTokensPerUpdate: number;
  readonly updatesPerEpoch: number;
  readonly padding: number;
  readonly secondsPerUpdate: number;
  readonly targetTokensPerSecond: number;
  /** Updates of the whole run; undefined if only early stopping ends it. */
  readonly updates: number | undefined;
  /** Without validation. */
  readonly seconds: number | undefined;
}

/** Updates timed at most, after one to warm up, and the time after which no further one is begun. */
const timedUpdates = 5;
const timedMs = 30_000;

export async function dryRun(
  recipe: Recipe,
  corpora: readonly Corpus[],
  hasValidation: boolean,
): Promise<DryRunReport> {
  const options = pickOptions(trainingOptions, recipe);
  checkOptions(options, { hasValidation });
  const tokenizers = await learnTokenizers(corpora, recipe);
  const config = configOf(recipe, tokenizers);
  const lengths = new LengthsOnly(config);
  const reports = await encodeCorpora(corpora, tokenizers, { recipe, sink: lengths });
  const batches = new BatchSource({ pairs: lengths, corpora: partsOf(corpora, reports), ids: tokenizers, ...options });
  const { parameters, secondsPerUpdate } = await timeUpdates(config, recipe, batches);

  const epoch = batches.epoch(1);
  const updatesPerEpoch = Math.ceil(epoch.batches.length / options.accumulate);
  const targetTokensPerUpdate = batches.targetTokens(1) / updatesPerEpoch;
  const ends = [options.steps, options.epochs && options.epochs * updatesPerEpoch].filter((end) => end !== undefined);
  const updates = ends.length === 0 ? undefined : Math.min(...ends);
  const bytes = 4 * parameters;
  return {
    pairs: lengths.length,
    pieces: { source: tokenizers.source.size, target: tokenizers.target.size },
    parameters,
    memory: {
      ...{ weights: bytes, gradients: bytes, moments: 2 * bytes },
      activations: activationBytes(config, lengths, epoch.batches),
      peakResident: 1024 * process.resourceUsage().maxRSS,
    },
    tokensPerUpdate: options.maxTokens * options.accumulate,
    targetTokensPerUpdate,
    updatesPerEpoch,
    padding: batches.padding(1),
    secondsPerUpdate,
    targetTokensPerSecond: targetTokensPerUpdate / secondsPerUpdate,
    updates,
    seconds: updates && updates * secondsPerUpdate,
  };
}

function partsOf(corpora: readonly Corpus[], reports: readonly CleanReport[]) {
  return corpora.map(({ weight }, i) => ({ pairs: reports[i].kept, weight }));
}

/** Pairs of which only the lengths are kept: any ids take the same time. */
class LengthsOnly implements PairSource {
  private readonly lengths: number[] = [];

  constructor(private readonly vocabulary: Pick<TransformerConfig, 'sourceVocabularySize' | 'targetVocabularySize'>) {}

  get length(): number {
    return this.lengths.length / 2;
  }

  append({ source, target }: EncodedPair): void {
    this.lengths.push(source.length, target.length);
  }

  sourceLength(index: number): number {
    return this.lengths[2 * index];
  }

  targetLength(index: number): number {
    return this.lengths[2 * index + 1];
  }

  pair(index: number): EncodedPair {
    const random = Random.of(1, 'dry run', index);
    const firstId = 3;
    const side = (length: number, vocabularySize: number) =>
      Int32Array.from({ length }, () => firstId + random.integer(vocabularySize - firstId));
    const { sourceVocabularySize, targetVocabularySize } = this.vocabulary;
    return {
      source: side(this.sourceLength(index), sourceVocabularySize),
      target: side(this.targetLength(index), targetVocabularySize),
    };
  }
}

/** The median time of real updates: forward, backward, Adam. */
async function timeUpdates(config: TransformerConfig, recipe: Recipe, batches: BatchSource) {
  const { labelSmoothing: smoothing, seed, threads, accumulate } = recipe;
  const step = await TrainingStep.compile(compile, config, { smoothing, seed, ...(threads && { threads }) });
  const adam = new Adam(step.parameters, paperAdam, threads === 1 ? undefined : startAdamThread);
  const times: number[] = [];
  const began = performance.now();
  for (let update = 1; update <= timedUpdates + 1; update++) {
    const start = performance.now();
    if (times.length > 1 && start - began > timedMs) break;
    const sum = new GradientSum();
    for (const indices of batches.epoch(1).batches.slice((update - 1) * accumulate, update * accumulate)) {
      for (const batch of batches.read(indices, update))
        sum.add(await step.run(batch, Random.of(seed, 'dry run', update)), batch.targetTokens);
    }
    if (sum.targetTokens === 0) break; // a corpus of few batches
    await adam.update(
      update,
      learningRate(update, { ...recipe, dModel: config.dModel }),
      sum.gradients,
      1 / sum.targetTokens,
    );
    times.push((performance.now() - start) / 1000);
  }
  await adam.release();
  const measured = (times.length > 1 ? times.slice(1) : times).sort((a, b) => a - b);
  return { parameters: step.parameters.size, secondsPerUpdate: measured[measured.length >> 1] };
}

/** Bytes of all results of the forward pass, for the widest batch: what the backward pass may look at. */
function activationBytes(config: TransformerConfig, pairs: PairSource, batches: readonly Uint32Array[]): number {
  const { source, target } = pairLengths(pairs);
  const longest = (side: Int32Array, batch: Uint32Array) =>
    batch.reduce((most, index) => Math.max(most, side[index]), 0);
  const { loss } = trainingGraph(config, 0.1);
  const computed = topologicalOrder([loss.total]).filter(({ operator }) => operator.name !== 'parameter');
  const bytesOf = (batch: Uint32Array): number => {
    const sizes: Readonly<Record<string, number>> = {
      ...{ batch: batch.length, source: longest(source, batch), target: longest(target, batch) },
    };
    const elements = (shape: readonly (number | string)[]) =>
      shape.reduce<number>((product, dim) => product * (typeof dim === 'number' ? dim : (sizes[dim] ?? 1)), 1);
    return computed.reduce((sum, { shape }) => sum + 4 * elements(shape), 0);
  };
  // The two extremes: many short pairs, or a few long ones with large attention matrices.
  const byWidth = [...batches].sort((a, b) => longest(target, a) - longest(target, b));
  return Math.max(bytesOf(byWidth[0]), bytesOf(byWidth[byWidth.length - 1]));
}

export async function printDryRun(report: DryRunReport): Promise<void> {
  const { memory, pieces } = report;
  const learned = memory.weights + memory.gradients + memory.moments;
  const vocabulary =
    pieces.source === pieces.target
      ? grouped(pieces.source)
      : `${grouped(pieces.source)} and ${grouped(pieces.target)}`;
  const total = report.updates === undefined ? 'until patience ends' : `${grouped(report.updates)} updates`;
  const time = report.seconds === undefined ? 'unknown' : `${duration(report.seconds)}, without validation`;
  const lines: [string, string][] = [
    ['pairs', grouped(report.pairs)],
    ['pieces', vocabulary],
    ['parameters', grouped(report.parameters)],
    ['weights, gradients, moments', megabytes(learned)],
    ['activations, about', megabytes(memory.activations)],
    ['peak memory when timed', megabytes(memory.peakResident)],
    [
      'tokens an update',
      `${grouped(report.tokensPerUpdate)} at most a side, ${grouped(report.targetTokensPerUpdate)} target tokens on average`,
    ],
    ['padding', `${(100 * report.padding).toFixed(1)} % of the tokens`],
    ['updates an epoch', grouped(report.updatesPerEpoch)],
    [
      'speed here',
      `${report.secondsPerUpdate.toFixed(2)} s an update, ${grouped(report.targetTokensPerSecond)} target tokens/s`,
    ],
    ['the whole run', total],
    ['time here, about', time],
  ];
  for (const [name, value] of lines) await print(`${name.padEnd(29)}${value}`);
}

function megabytes(bytes: number): string {
  return `${grouped(bytes / 1e6)} MB`;
}
