// A gated recurrent unit as a mixer: what self-attention replaced. Its state has one size however long the sequence is, and each
// hypothesis has its own.

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

  /** It needs neither places nor a mask: a position reads what came before it, and nothing else. */
  mix(x: Tensor, { before }: MixContext): { output: Tensor; after: States } {
    const [{ name }] = this.states;
    const { output, state } = before === undefined ? this.unit.sequence(x) : this.unit.step(x, before[name]);
    return { output, after: { [name]: state } };
  }
}
