// A gated recurrent unit as a mixer. The size of its state does not depend on the length of the sequence.

import type { Tensor } from '../../tensor/index.ts';
import type { LayerConfig } from '../layer-config.ts';
import type { Scope } from '../scope.ts';
import { GatedRecurrentUnit } from './gru.ts';
import type { MixContext, Mixer, StateSpec, States } from './mixer.ts';

export class RecurrentMixer implements Mixer {
  readonly states: readonly [StateSpec];
  private readonly unit: GatedRecurrentUnit;

  constructor(scope: Scope, { dModel }: LayerConfig) {
    this.unit = new GatedRecurrentUnit(scope, { width: dModel });
    this.states = [{ name: scope.nameOf('state'), kind: 'replace', shape: [dModel] }];
  }

  /** Needs neither positions nor a mask, since a position reads only those before it. */
  mix(x: Tensor, { before }: MixContext): { output: Tensor; after: States } {
    const [{ name }] = this.states;
    const { output, state } = before === undefined ? this.unit.sequence(x) : this.unit.step(x, before[name]);
    return { output, after: { [name]: state } };
  }
}
