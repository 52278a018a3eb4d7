// All stages of the forward pass in the order of the paper, for one layer and one head.

import type { Trace } from '../../../src/translate/index.ts';
import { attentionStages, type StageContext } from './attention-stages.ts';
import { embeddingStage, positionStages, type StackPlace, stackOutputStage, tokenStage } from './input-stages.ts';
import { addNormStage, feedForwardStage } from './layer-stages.ts';
import { TensorReader } from './reader.ts';
import type { Stage, StageText, StageWords } from './stage.ts';

export interface StageChoice {
  /** From 0; both stacks, where they have so many. */
  readonly layer: number;
  /** From 0. */
  readonly head: number;
}

/** @param trace with the tensors of that layer */
export function stagesOf(trace: Trace, { layer, head }: StageChoice, words: StageWords): Stage[] {
  const context: StageContext = { reader: new TensorReader(trace), config: trace.model.config, words };
  const source = trace.source.tokens.map(({ piece }) => piece);
  const target = trace.target.tokens.map(({ piece }) => piece);
  const { encoderLayers, decoderLayers } = trace.model.config;
  const encoder = { rows: source, head, layer: Math.min(layer, encoderLayers - 1) };
  const decoder = { rows: target, head, layer: Math.min(layer, decoderLayers - 1) };
  return [
    ...encoderStages(encoder, context),
    ...decoderStages(decoder, source, context),
    ...outputStages(target, context),
  ];
}

interface Stack {
  readonly rows: readonly string[];
  readonly layer: number;
  readonly head: number;
}

function encoderStages({ rows, layer, head }: Stack, context: StageContext): Stage[] {
  const place: StackPlace = { stack: 'encoder', part: 'source', side: 'source', rows };
  const path = `encoder.layers.${layer}`;
  const attention = {
    path: `${path}.selfAttention`,
    prefix: 'encoder',
    part: 'encoderAttention',
    side: 'source',
    rows,
  } as const;
  const network = {
    ...attention,
    path: `${path}.feedForward`,
    prefix: 'encoder.feedForward',
    part: 'encoderFeedForward',
  } as const;
  return [
    tokenStage(place),
    embeddingStage(place, context),
    ...positionStages(place, context),
    ...attentionStages({ ...attention, looking: rows, lookedAt: rows, head }, context),
    addNormStage(attention, context),
    feedForwardStage(network, context),
    addNormStage(network, context),
    stackOutputStage(place, context),
  ];
}

function decoderStages({ rows, layer, head }: Stack, source: readonly string[], context: StageContext): Stage[] {
  const place: StackPlace = { stack: 'decoder', part: 'target', side: 'target', rows };
  const path = `decoder.layers.${layer}`;
  const own = {
    path: `${path}.selfAttention`,
    prefix: 'decoder',
    part: 'decoderAttention',
    side: 'target',
    rows,
  } as const;
  const cross = { ...own, path: `${path}.crossAttention`, prefix: 'cross', part: 'crossAttention' } as const;
  const network = {
    ...own,
    path: `${path}.feedForward`,
    prefix: 'decoder.feedForward',
    part: 'decoderFeedForward',
  } as const;
  const memory = context.reader.rows('encoder.output');
  return [
    tokenStage(place),
    embeddingStage(place, context),
    ...positionStages(place, context),
    ...attentionStages({ ...own, looking: rows, lookedAt: rows, head }, context),
    addNormStage(own, context),
    ...attentionStages({ ...cross, looking: rows, lookedAt: source, memory, head }, context),
    addNormStage(cross, context),
    feedForwardStage(network, context),
    addNormStage(network, context),
    stackOutputStage(place, context),
  ];
}

/** Drawn from the predictions and the search, not from matrices. */
function outputStages(rows: readonly string[], { reader }: StageContext): Stage[] {
  const stage = (text: StageText, section: string, formula: string): Stage => ({
    id: `output.${text}`,
    part: 'output',
    side: 'target',
    text,
    section,
    formula,
    matrices: [],
    result: '',
    originOf: () => undefined,
  });
  const states = {
    id: 'stackOutput',
    symbol: 'Y',
    rows,
    values: reader.rows('decoder.output'),
    kind: 'numbers',
  } as const;
  return [
    { ...stage('logits', '3.4', String.raw`z = Y E^\top`), matrices: [states], result: 'stackOutput' },
    stage('probabilities', '3.4', String.raw`p_i = \frac{e^{z_i}}{\sum_{j} e^{z_j}}`),
    stage('choice', '3.1', String.raw`\hat y_{t+1} = \arg\max_i\, p_i`),
    stage(
      'beam',
      '6.1',
      String.raw`s(y) = \frac{\log P(y \mid x)}{lp(y)} \qquad lp(y) = \frac{(5 + |y|)^\alpha}{6^\alpha}`,
    ),
  ];
}
