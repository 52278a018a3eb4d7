// Section 3.1: what surrounds each sub-layer, LayerNorm(x + Dropout(Sublayer(x))), or with pre-norm
// x + Dropout(Sublayer(LayerNorm(x))).

import { add, type Tensor } from '../tensor/index.ts';
import { dropout } from './dropout.ts';
import type { LayerConfig } from './layer-config.ts';
import { LayerNorm } from './layer-norm.ts';
import type { Scope } from './scope.ts';

export class Sublayer {
  private readonly norm: LayerNorm;

  /** @param name of the sub-layer it surrounds: the norm is called `selfAttentionNorm`, the result `selfAttention.result` */
  constructor(
    private readonly scope: Scope,
    private readonly name: string,
    private readonly config: LayerConfig,
  ) {
    this.norm = new LayerNorm(scope.child(`${name}Norm`), config.dModel, config.layerNormEpsilon);
  }

  /** What the sub-layer reads of x: with post-norm (the paper) x itself. */
  preNorm(x: Tensor): Tensor {
    return this.config.norm === 'pre' ? this.scope.result(`${this.name}.input`, this.norm.apply(x)) : x;
  }

  /** Adds what the sub-layer made of x to x, and with post-norm normalises the sum. */
  addAndNorm(x: Tensor, made: Tensor): Tensor {
    const sum = this.scope.result(`${this.name}.sum`, add(x, dropout(made, this.config.dropout)));
    return this.scope.result(`${this.name}.result`, this.config.norm === 'post' ? this.norm.apply(sum) : sum);
  }
}
