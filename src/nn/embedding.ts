// Section 3.4: embeddings, and the linear map before the softmax; one matrix may serve both.

import { gather, matmul, scale, type Tensor, transpose } from '../tensor/index.ts';
import type { Scope } from './scope.ts';

export class Embedding {
  private readonly weight: Tensor;

  constructor(
    scope: Scope,
    vocabularySize: number,
    private readonly dModel: number,
  ) {
    // Times √dModel on the way in, its entries have variance 1; as the last linear map, its logits have too.
    this.weight = scope.parameter('weight', [vocabularySize, dModel], { kind: 'normal', deviation: dModel ** -0.5 });
  }

  /** ids [B, T] → [B, T, D], multiplied by √D; named for the stack that reads them. */
  lookUp(ids: Tensor, stack: Scope): Tensor {
    const rows = stack.result('embedding', gather(this.weight, ids));
    return stack.result('scaledEmbedding', scale(rows, Math.sqrt(this.dModel)));
  }

  /** [B, T, D] → logits [B, T, V] */
  project(x: Tensor): Tensor {
    return matmul(x, transpose(this.weight));
  }
}
