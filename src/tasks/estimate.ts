// What a run will take: size and memory of the model, and time from a few timed updates. Nothing is written.

import { Random } from '../base/random.ts';
import { compile } from '../runtime/node/index.ts';
import { type Shape, topologicalOrder } from '../tensor/index.ts';
import {
  Adam,
  type Batches,
  checkOptions,
  GradientSum,
  learningRate,
  paperAdam,
  type TrainingBatch,
  type TrainingGraph,
  type TrainingOptions,
  TrainingStep,
} from '../train/index.ts';
import { startAdamThread } from '../train/node.ts';

/** What the data has, counted: `{ pairs: 29000, pieces: { source: 8000, target: 8000 } }`. */
export type DataCounts = Readonly<Record<string, number | Readonly<Record<string, number>>>>;

export interface Estimate {
  readonly data: DataCounts;
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

export interface EstimateSetup {
  readonly data: DataCounts;
  readonly graph: TrainingGraph;
  /** dModel, for the paper's learning rate. */
  readonly width: number;
  readonly batches: Batches;
  readonly options: TrainingOptions;
  readonly hasValidation: boolean;
}

/** Updates timed at most, after one to warm up, and the time after which no further one is begun. */
const timedUpdates = 5;
const timedMs = 30_000;

export async function estimateRun(setup: EstimateSetup): Promise<Estimate> {
  const { data, batches, options } = setup;
  checkOptions(options, setup);
  const { parameters, secondsPerUpdate } = await timeUpdates(setup);
  const updatesPerEpoch = Math.ceil(batches.epoch(1).batches.length / options.accumulate);
  const targetTokensPerUpdate = batches.targetTokens(1) / updatesPerEpoch;
  const ends = [options.steps, options.epochs && options.epochs * updatesPerEpoch].filter((end) => end !== undefined);
  const updates = ends.length === 0 ? undefined : Math.min(...ends);
  const bytes = 4 * parameters;
  return {
    data,
    parameters,
    memory: {
      weights: bytes,
      gradients: bytes,
      moments: 2 * bytes,
      activations: activationBytes(setup),
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

/** The median time of real updates: forward, backward, Adam. */
async function timeUpdates({ graph, width, batches, options }: EstimateSetup) {
  const { seed, threads, accumulate } = options;
  const step = await TrainingStep.compile(compile, graph, options);
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
    const rate = learningRate(update, { ...options, dModel: width });
    await adam.update(update, rate, sum.gradients, 1 / sum.targetTokens);
    times.push((performance.now() - start) / 1000);
  }
  await adam.release();
  const measured = (times.length > 1 ? times.slice(1) : times).sort((a, b) => a - b);
  return { parameters: step.parameters.size, secondsPerUpdate: measured[measured.length >> 1] };
}

/** Batches of the fewest rows, hence of the longest, that are looked at: the last ones of an epoch may just be left over. */
const longBatches = 20;

/** Bytes of all results of the forward pass, for the largest batch: what the backward pass may look at. */
function activationBytes({ graph, batches }: EstimateSetup): number {
  const computed = topologicalOrder([graph.loss.total]).filter(({ operator }) => operator.name !== 'parameter');
  const bytesOf = (batch: TrainingBatch): number => {
    const sizes = sizesOf(batch);
    return computed.reduce((sum, { shape }) => sum + 4 * elements(shape, sizes), 0);
  };
  // The two extremes: many short examples, or a few long ones with large attention matrices.
  const byRows = [...batches.epoch(1).batches].sort((a, b) => a.length - b.length);
  const extremes = [...byRows.slice(0, longBatches), ...byRows.slice(-1)];
  return Math.max(...extremes.flatMap((indices) => batches.read(indices, 1)).map(bytesOf));
}

/** Sizes of the named dimensions: an input `source` is [batch, source]. */
function sizesOf({ inputs, expected }: TrainingBatch): Map<string, number> {
  const lengths = [...inputs].map(([name, { shape }]) => [name, shape[1]] as const);
  return new Map([['batch', expected.shape[0]], ['target', expected.shape[1]], ...lengths]);
}

/** Names may be products and sums of names: `batch*target`, `past+target`. */
function elements(shape: Shape, sizes: ReadonlyMap<string, number>): number {
  const sizeOf = (name: string) => sizes.get(name) ?? (Number(name) || 1);
  const sumOf = (text: string) => text.split('+').reduce((sum, name) => sum + sizeOf(name), 0);
  const dims = shape.map((dim) =>
    String(dim)
      .split('*')
      .reduce((product, part) => product * sumOf(part), 1),
  );
  return dims.reduce((product, size) => product * size, 1);
}
