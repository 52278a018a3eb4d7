// Section 3.4: embeddings, and the linear map before the softmax. One matrix may be used for both.

import { gather, matmul, scale, type Tensor, transpose } from '../tensor/index.ts';
import type { Scope } from './scope.ts';

export class Embedding {
  private readonly weight: Tensor;

  constructor(
    scope: Scope,
    vocabularySize: number,
    private readonly dModel: number,
  ) {
    // Multiplied by √dModel, embeddings have variance 1; logits computed with the same matrix have it, too.
    this.weight = scope.parameter('weight', [vocabularySize, dModel], { kind: 'normal', deviation: dModel ** -0.5 });
  }

  /** ids [B, T] → [B, T, D], multiplied by √D. @param stack of the stack that reads them */
  lookUp(ids: Tensor, stack: Scope): Tensor {
    const rows = stack.result('embedding', gather(this.weight, ids));
    return stack.result('scaledEmbedding', scale(rows, Math.sqrt(this.dModel)));
  }

  /** [B, T, D] → logits [B, T, V] */
  project(x: Tensor): Tensor {
    return matmul(x, transpose(this.weight));
  }
}
