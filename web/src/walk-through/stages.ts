// All stages of the forward pass in the order of the paper, for one layer and one head.

import type { Trace } from '../../../src/translate/index.ts';
import { transformerConfigOf } from '../inspect/config.ts';
import { attentionStages, type StageContext } from './attention-stages.ts';
import { embeddingStage, positionStages, type StackPlace, stackOutputStage, tokenStage } from './input-stages.ts';
import { addNormStage, feedForwardStage, type SublayerPlace } from './layer-stages.ts';
import { TensorReader } from './reader.ts';
import { numbersOf, type Stage, type StageText, type StageWords } from './stage.ts';

export interface StageChoice {
  /** From 0, in both stacks; a stack with fewer layers has no stages. */
  readonly layer: number;
  /** From 0. */
  readonly head: number;
}

/** @param trace with the tensors of that layer */
export function stagesOf(trace: Trace, { layer, head }: StageChoice, words: StageWords): Stage[] {
  const context: StageContext = { reader: new TensorReader(trace), config: transformerConfigOf(trace), words };
  const source = trace.source.tokens.map(({ piece }) => piece);
  const target = trace.target.tokens.map(({ piece }) => piece);
  const { encoderLayers, decoderLayers } = context.config;
  const encoder: StackPlace = { stack: 'encoder', part: 'source', side: 'source', rows: source };
  const decoder: StackPlace = { stack: 'decoder', part: 'target', side: 'target', rows: target };
  return [
    ...inputStages(encoder, context),
    ...(layer < encoderLayers ? encoderLayerStages(source, { layer, head }, context) : []),
    stackOutputStage(encoder, context),
    ...inputStages(decoder, context),
    ...(layer < decoderLayers ? decoderLayerStages({ source, target }, { layer, head }, context) : []),
    stackOutputStage(decoder, context),
    ...outputStages(target, context),
  ];
}

function inputStages(place: StackPlace, context: StageContext): Stage[] {
  return [tokenStage(place), embeddingStage(place, context), ...positionStages(place, context)];
}

function encoderLayerStages(rows: readonly string[], { layer, head }: StageChoice, context: StageContext): Stage[] {
  const path = `encoder.layers.${layer}`;
  const own: SublayerPlace = {
    path: `${path}.selfAttention`,
    prefix: 'encoder',
    part: 'encoderAttention',
    side: 'source',
    rows,
  };
  const network: SublayerPlace = {
    ...own,
    path: `${path}.feedForward`,
    prefix: 'encoder.feedForward',
    part: 'encoderFeedForward',
  };
  return [
    ...attentionStages({ ...own, looking: rows, lookedAt: rows, head }, context),
    addNormStage(own, context),
    feedForwardStage(network, context),
    addNormStage(network, context),
  ];
}

function decoderLayerStages(
  { source, target }: { readonly source: readonly string[]; readonly target: readonly string[] },
  { layer, head }: StageChoice,
  context: StageContext,
): Stage[] {
  const path = `decoder.layers.${layer}`;
  const own: SublayerPlace = {
    path: `${path}.selfAttention`,
    prefix: 'decoder',
    part: 'decoderAttention',
    side: 'target',
    rows: target,
  };
  const cross: SublayerPlace = { ...own, path: `${path}.crossAttention`, prefix: 'cross', part: 'crossAttention' };
  const network: SublayerPlace = {
    ...own,
    path: `${path}.feedForward`,
    prefix: 'decoder.feedForward',
    part: 'decoderFeedForward',
  };
  const memory = context.reader.rows('encoder.output');
  return [
    ...attentionStages({ ...own, looking: target, lookedAt: target, head }, context),
    addNormStage(own, context),
    ...attentionStages({ ...cross, looking: target, lookedAt: source, memory, head }, context),
    addNormStage(cross, context),
    feedForwardStage(network, context),
    addNormStage(network, context),
  ];
}

/** Displays predictions and the search instead of matrices. */
function outputStages(rows: readonly string[], { reader, config }: StageContext): Stage[] {
  // With tied embeddings the output projection is the embedding matrix.
  const matrix = config.embeddings === 'separate' ? 'W' : 'E';
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
  const states = numbersOf(rows)('stackOutput', 'Y', reader.rows('decoder.output'));
  return [
    { ...stage('logits', '3.4', String.raw`z = Y ${matrix}^\top`), matrices: [states], result: 'stackOutput' },
    stage('probabilities', '3.4', String.raw`p_i = \frac{e^{z_i}}{\sum_{j} e^{z_j}}`),
    stage('choice', '3.1', String.raw`\hat y_{t+1} = \arg\max_i\, p_i`),
    stage(
      'beam',
      '6.1',
      String.raw`s(y) = \frac{\log P(y \mid x)}{lp(y)} \qquad lp(y) = \frac{(5 + |y|)^\alpha}{6^\alpha}`,
    ),
  ];
}
