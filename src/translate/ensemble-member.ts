// One model of a translator's ensemble, with its programs, which are compiled when first needed.

import { buildModel } from '../architectures/index.ts';
import { HeedError } from '../base/error.ts';
import { GenerationEngine, type RunningModel, Scorer } from '../generate/index.ts';
import type { StoredModel } from '../model/index.ts';
import type { TranslatorSetup } from './options.ts';
import { Tracer } from './trace/tracer.ts';

export class EnsembleMember {
  /** The largest length of a sequence; Infinity if there is no limit. */
  readonly maxPositions: number;
  private readonly attentionLayer: number;
  private readonly hasCrossAttention: boolean;
  private plain: GenerationEngine | undefined;
  private recording: GenerationEngine | undefined;
  private scoring: Scorer | undefined;
  private tracing: Tracer | undefined;

  constructor(
    readonly model: StoredModel,
    private readonly setup: TranslatorSetup,
    private readonly name: string,
  ) {
    const { encode, crossAttentionLayers: layers, maxPositions } = buildModel(model.config);
    if (encode === undefined) {
      const rule = 'must be a model with an encoder to translate';
      throw new HeedError(name, `${rule}, got ${model.config.kind}; heed generate writes with a language model.`);
    }
    this.maxPositions = maxPositions;
    this.hasCrossAttention = layers > 0;
    this.attentionLayer = setup.attentionLayer ?? Math.max(0, layers - 2);
    if (Number.isInteger(this.attentionLayer) && this.attentionLayer >= 0 && this.attentionLayer < layers) return;
    if (!this.hasCrossAttention && setup.attentionLayer === undefined) return;
    const rule = this.hasCrossAttention
      ? `must be a decoder layer from 0 to ${layers - 1}`
      : 'must be left out for a model without cross-attention';
    throw new HeedError('translate', `attentionLayer ${rule}, got ${this.attentionLayer}.`);
  }

  /** Starts a search over a batch of sources (ids, END included). */
  start(sources: readonly Int32Array[], { recordsAttention }: { recordsAttention: boolean }): Promise<RunningModel> {
    if (recordsAttention) {
      if (!this.hasCrossAttention) {
        const rule = 'attention and the coverage penalty need a model with cross-attention';
        throw new HeedError('translate', `${rule}, got ${this.model.config.kind}; leave them out.`);
      }
      this.recording ??= this.engine(this.attentionLayer);
      return this.recording.start(sources);
    }
    this.plain ??= this.engine(undefined);
    return this.plain.start(sources);
  }

  get scorer(): Scorer {
    this.scoring ??= new Scorer(this.model, this.setup);
    return this.scoring;
  }

  get tracer(): Tracer {
    // Only the last part of the folder's path, since traces may be shared.
    const name = this.name.split(/[\\/]/).findLast((part) => part !== '') ?? this.name;
    this.tracing ??= new Tracer(this.model, this.setup, { name, alignmentLayer: this.attentionLayer });
    return this.tracing;
  }

  async release(): Promise<void> {
    for (const part of [this.plain, this.recording, this.scoring, this.tracing]) await part?.release();
  }

  private engine(attentionLayer: number | undefined): GenerationEngine {
    const { startId, endId } = this.model.targetTokenizer;
    return new GenerationEngine(this.model, { ...this.setup, startId, endId, attentionLayer });
  }
}
