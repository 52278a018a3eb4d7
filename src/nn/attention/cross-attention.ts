// Section 3.2.3: attention of the decoder to the encoder's output. Its keys and values are computed once per sentence.

import type { Tensor } from '../../tensor/index.ts';
import type { LayerConfig } from '../layer-config.ts';
import type { StateSpec, States } from '../mixers/mixer.ts';
import type { Scope } from '../scope.ts';
import { MultiHeadAttention } from './multi-head.ts';

/** The encoded source, as the decoder reads it. */
export interface SourceContext {
  /** 1 for source tokens that are not padding, [B, 1, 1, S]; absent: there is no padding. */
  readonly sourceMask?: Tensor | undefined;
  /** Keys and values of the encoder's output, as `memory` returns them. */
  readonly memory: States;
  /** States of earlier steps: present in decoding only. */
  readonly before?: States | undefined;
}

export class CrossAttention {
  readonly states: readonly [keys: StateSpec, values: StateSpec];
  private readonly attention: MultiHeadAttention;

  constructor(scope: Scope, config: LayerConfig) {
    const { heads, dKey, dValue } = config;
    this.attention = new MultiHeadAttention(scope, config);
    this.states = [
      { name: scope.nameOf('keys'), kind: 'fixed', shape: [heads, 'source', dKey], role: 'keys' },
      { name: scope.nameOf('values'), kind: 'fixed', shape: [heads, 'source', dValue] },
    ];
  }

  /** The encoder's output [B, S, D] → its keys [B, H, S, K] and values [B, H, S, V] */
  memory(encoded: Tensor): States {
    const [keys, values] = this.states;
    const memory = this.attention.keysAndValues(encoded);
    return { [keys.name]: memory.keys, [values.name]: memory.values };
  }

  /** x [B, T, D] → [B, T, D] */
  attend(x: Tensor, { memory, sourceMask, before }: SourceContext): Tensor {
    const [keys, values] = this.states;
    const encoded = { keys: memory[keys.name], values: memory[values.name] };
    // Every source contains at least END, so no row of the mask is empty.
    return this.attention.attend(x, encoded, { mask: sourceMask, hasFullyMaskedRows: before === undefined });
  }
}
