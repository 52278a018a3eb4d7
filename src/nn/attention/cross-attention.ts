// Section 3.2.3: attention of the decoder to the encoder's output, whose keys and values are computed once a sentence.

import type { Tensor } from '../../tensor/index.ts';
import type { LayerConfig } from '../layer-config.ts';
import type { StateSpec, States } from '../mixers/mixer.ts';
import type { Scope } from '../scope.ts';
import { MultiHeadAttention } from './multi-head.ts';

/** What the decoder knows of the source. */
export interface SourceContext {
  /** Source tokens that are real, [B, 1, 1, S]; absent: all are. */
  readonly sourceMask?: Tensor | undefined;
  /** Keys and values of the encoder's output, as `memory` gives them. */
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
    // A source that is decoded has its END, so that there is something to look at.
    return this.attention.attend(x, encoded, { mask: sourceMask, hasFullyMaskedRows: before === undefined });
  }
}
