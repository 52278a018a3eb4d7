// Section 3.1: the residual connection and norm around each sub-layer, LayerNorm(x + Dropout(Sublayer(x))), or with
// pre-norm x + Dropout(Sublayer(LayerNorm(x))).

import { add, type Tensor } from '../tensor/index.ts';
import { dropout } from './dropout.ts';
import type { LayerConfig } from './layer-config.ts';
import { LayerNorm } from './layer-norm.ts';
import type { Scope } from './scope.ts';

export class Sublayer {
  private readonly norm: LayerNorm;

  /** @param name such as `selfAttention`: the norm is then called `selfAttentionNorm`, the result `selfAttention.result` */
  constructor(
    private readonly scope: Scope,
    private readonly name: string,
    private readonly config: LayerConfig,
  ) {
    this.norm = new LayerNorm(scope.child(`${name}Norm`), config.dModel, config.layerNormEpsilon);
  }

  /** The sub-layer's input: LayerNorm(x) with pre-norm, x itself with post-norm (the paper). */
  preNorm(x: Tensor): Tensor {
    return this.config.norm === 'pre' ? this.scope.result(`${this.name}.input`, this.norm.apply(x)) : x;
  }

  /** Adds the sub-layer's output to x, and with post-norm normalises the sum. */
  addAndNorm(x: Tensor, output: Tensor): Tensor {
    const sum = this.scope.result(`${this.name}.sum`, add(x, dropout(output, this.config.dropout)));
    return this.scope.result(`${this.name}.result`, this.config.norm === 'post' ? this.norm.apply(sum) : sum);
  }
}
