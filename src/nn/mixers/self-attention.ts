// Self-attention as a mixer. Its states are the keys and values of the positions so far.

import type { Tensor } from '../../tensor/index.ts';
import { MultiHeadAttention } from '../attention/multi-head.ts';
import type { LayerConfig } from '../layer-config.ts';
import type { Positions } from '../positions/scheme.ts';
import type { Scope } from '../scope.ts';
import type { MixContext, Mixer, StateSpec, States } from './mixer.ts';

export class SelfAttention implements Mixer {
  readonly states: readonly [keys: StateSpec, values: StateSpec];
  private readonly attention: MultiHeadAttention;

  constructor(scope: Scope, config: LayerConfig, positions: Positions) {
    const { heads, dKey, dValue } = config;
    this.attention = new MultiHeadAttention(scope, config, positions);
    this.states = [
      { name: scope.nameOf('keys'), kind: 'append', shape: [heads, 'length', dKey] },
      { name: scope.nameOf('values'), kind: 'append', shape: [heads, 'length', dValue] },
    ];
  }

  mix(x: Tensor, { at, keysAt, mask, before }: MixContext): { output: Tensor; after: States } {
    const [keys, values] = this.states.map(({ name }) => name);
    const present = this.attention.keysAndValues(x, at);
    const past = before && { keys: before[keys], values: before[values] };
    // In decoding each position sees itself.
    const output = this.attention.attend(x, present, { past, at, keysAt, mask, hasFullyMaskedRows: !before });
    return { output, after: { [keys]: present.keys, [values]: present.values } };
  }
}
