// One model of a translator: the programs that it runs, each made when it is first needed.

import { HeedError } from '../base/error.ts';
import type { StoredModel } from '../model/index.ts';
import { TranslationEngine } from './engine.ts';
import type { TranslatorSetup } from './options.ts';
import type { RunningModel } from './running-batch.ts';
import { Scorer } from './scoring.ts';
import { Tracer } from './tracer.ts';

export class Member {
  private readonly attentionLayer: number;
  private plain: TranslationEngine | undefined;
  private recording: TranslationEngine | undefined;
  private scoring: Scorer | undefined;
  private tracing: Tracer | undefined;

  constructor(
    readonly model: StoredModel,
    private readonly setup: TranslatorSetup,
    private readonly name: string,
  ) {
    const { decoderLayers } = model.config;
    this.attentionLayer = setup.attentionLayer ?? Math.max(0, decoderLayers - 2);
    if (Number.isInteger(this.attentionLayer) && this.attentionLayer >= 0 && this.attentionLayer < decoderLayers)
      return;
    const rule = `attentionLayer must be a decoder layer from 0 to ${decoderLayers - 1}`;
    throw new HeedError('translate', `${rule}, got ${this.attentionLayer}.`);
  }

  /** Encodes a batch of sources (ids, END included), to be searched. */
  start(sources: readonly Int32Array[], { recordsAttention }: { recordsAttention: boolean }): Promise<RunningModel> {
    if (recordsAttention) {
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
    // Of a folder's path only the last part: a trace may go to strangers.
    const name = this.name.split(/[\\/]/).findLast((part) => part !== '') ?? this.name;
    this.tracing ??= new Tracer(this.model, this.setup, { name, alignmentLayer: this.attentionLayer });
    return this.tracing;
  }

  async release(): Promise<void> {
    for (const part of [this.plain, this.recording, this.scoring, this.tracing]) await part?.release();
  }

  private engine(attentionLayer: number | undefined): TranslationEngine {
    const { config, parameters, quantized, targetTokenizer } = this.model;
    const { compile, threads, weights = 'constants' } = this.setup;
    const { startId, endId } = targetTokenizer;
    const options = { startId, endId, threads, attentionLayer, weights, quantized };
    return new TranslationEngine(compile, config, parameters, options);
  }
}
