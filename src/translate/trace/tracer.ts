// A traced pass: source and target through the whole model, as in training, with every named result as an output.

import { batchLogits, buildModel } from '../../architectures/index.ts';
import { HeedError } from '../../base/error.ts';
import { compileFor, fedWeights, padded } from '../../generate/index.ts';
import type { StoredModel } from '../../model/index.ts';
import type { Program, Values } from '../../runtime/index.ts';
import { namedTensors, type Tensor } from '../../tensor/index.ts';
import type { TranslateOptions, TranslatorSetup } from '../options.ts';
import type { Trace, TraceAttention } from './format.ts';
import {
  type ArrayForm,
  checkTensorChoice,
  layersOf,
  type Stack,
  stacks,
  type TensorChoice,
  traceArray,
  traceTensors,
} from './tensors.ts';
import { tracePredictions, traceTokens } from './tokens.ts';

/** What to trace; the options of translation apply to the search for the model's own translation. */
export interface TraceOptions extends TranslateOptions {
  /** A text, or the ids of its pieces, such as `Translation.tokens`. Default: the model's own translation. */
  readonly translation?: string | readonly number[] | undefined;
  /** Intermediate results to show: `none`, `all`, or a layer, from 0, of both stacks. Default `none`. */
  readonly tensors?: TensorChoice | undefined;
  /** Whether to show the search for the model's own translation. Default false. */
  readonly search?: boolean | undefined;
  /** Most probable tokens shown at each position of the target. Default 5. */
  readonly candidates?: number | undefined;
  /** How arrays are written: lists of `numbers`, or `base64` of float32. Default `numbers`. */
  readonly arrays?: ArrayForm | undefined;
}

/** What to include in a trace. */
export interface TraceView {
  readonly translation: string | readonly number[] | undefined;
  readonly tensors: TensorChoice;
  readonly search: boolean;
  readonly candidates: number;
  readonly arrays: ArrayForm;
}

/**
 * Separates the options of tracing from those of translation.
 * @param layers of the stack with more layers
 * @throws HeedError that names the option
 */
export function traceView(options: TraceOptions, layers: number): { view: TraceView; rest: TranslateOptions } {
  const { translation, tensors = 'none', search = false, candidates = 5, arrays = 'numbers', ...rest } = options;
  checkTensorChoice(tensors, layers);
  if (!Number.isSafeInteger(candidates) || candidates < 1)
    throw new HeedError('trace', `candidates must be a whole number of at least 1, got ${candidates}.`);
  if (arrays !== 'numbers' && arrays !== 'base64')
    throw new HeedError('trace', `arrays must be numbers or base64, got ${arrays}.`);
  return { view: { translation, tensors, search, candidates, arrays }, rest };
}

/** A source and a target to read, as text and as ids: the source with tag and END, the target without START and END. */
export interface TracedPair {
  readonly text: string;
  readonly source: Int32Array;
  readonly target: readonly number[];
}

export interface TracerNames {
  /** Of the model. */
  readonly name: string;
  readonly alignmentLayer: number;
}

export class Tracer {
  private readonly outputs: ReadonlyMap<string, Tensor>;
  private program: Promise<Program> | undefined;

  constructor(
    private readonly model: StoredModel,
    private readonly setup: TranslatorSetup,
    private readonly names: TracerNames,
  ) {
    this.outputs = namedTensors([batchLogits(buildModel(model.config))]);
  }

  /** Layers of the stack with more layers. */
  get layers(): number {
    return Math.max(...stacks.map((stack) => layersOf(this.outputs.keys(), stack)));
  }

  async trace(pair: TracedPair, view: TraceView): Promise<Trace> {
    const { config, parameters, quantized, sourceTokenizer, targetTokenizer } = this.model;
    const { translation, tensors, candidates, arrays } = view;
    const { startId, endId } = targetTokenizer;
    const read = [startId, ...pair.target];
    const tokens = traceTokens(read, targetTokenizer);
    const results = await this.run(pair.source, read);
    const next = { next: [...pair.target, endId], count: candidates, tokenizer: targetTokenizer };
    return {
      format: 'heed-trace',
      version: 1,
      model: {
        name: this.names.name,
        config,
        parameters: parameters.size,
        arithmetic: quantized === undefined ? 'float32' : 'int8',
      },
      source: { text: pair.text, tokens: traceTokens(pair.source, sourceTokenizer) },
      target: {
        text: typeof translation === 'string' ? translation : targetTokenizer.decode(pair.target),
        from: translation === undefined ? 'search' : 'caller',
        tokens,
        predictions: tracePredictions(resultOf(results, 'logits'), next),
      },
      attention: this.attention(results, arrays),
      ...(tensors === 'none' ? {} : { tensors: traceTensors(results, { choice: tensors, form: arrays }) }),
    };
  }

  async release(): Promise<void> {
    await (await this.program)?.release();
  }

  /** Every named result, without the batch axis of size 1. */
  private async run(source: Int32Array, target: readonly number[]): Promise<Map<string, Values>> {
    const { vocabulary } = buildModel(this.model.config);
    this.program ??= compileFor(this.model, this.setup, Object.fromEntries(this.outputs));
    const results = await (await this.program).run(
      new Map([
        ['source', padded([source], vocabulary.source?.padId ?? 0)],
        ['target', padded([target], vocabulary.target.padId)],
        ...fedWeights(this.model, this.setup),
      ]),
    );
    return new Map(
      [...this.outputs].map(([name, tensor]) => {
        const { shape, data } = results[name];
        return [name, { data, shape: tensor.shape[0] === 'batch' ? shape.slice(1) : shape }];
      }),
    );
  }

  private attention(results: ReadonlyMap<string, Values>, form: ArrayForm): TraceAttention {
    const weights = (stack: Stack, sublayer: string) =>
      Array.from({ length: layersOf(this.outputs.keys(), stack) }, (_, layer) =>
        traceArray(resultOf(results, `${stack}.layers.${layer}.${sublayer}.weights`), form),
      );
    return {
      encoder: weights('encoder', 'selfAttention'),
      decoder: weights('decoder', 'selfAttention'),
      cross: weights('decoder', 'crossAttention'),
      alignmentLayer: this.names.alignmentLayer,
    };
  }
}

/** @throws Error for an unknown name, which is a bug */
function resultOf(results: ReadonlyMap<string, Values>, name: string): Values {
  const values = results.get(name);
  if (values === undefined) throw new Error(`no result named ${name}`);
  return values;
}
