// The configuration of layers: the values of the options in layer-options.ts, which describes each.

export interface LayerConfig {
  readonly dModel: number;
  readonly heads: number;
  readonly dKey: number;
  readonly dValue: number;
  readonly dInner: number;
  readonly norm: 'post' | 'pre';
  /** A name among `positionSchemes`. */
  readonly positions: string;
  readonly maxPositions: number;
  /** A name among `feedForwards`. */
  readonly activation: string;
  readonly attentionBias: boolean;
  readonly layerNormEpsilon: number;
  readonly dropout: number;
  readonly attentionDropout: number;
  readonly activationDropout: number;
}
