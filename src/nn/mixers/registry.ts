// The mixers by name, as the option `decoderMixer` chooses them.

import { Registry } from '../../base/registry.ts';
import type { MixerKind } from './mixer.ts';
import { SelfAttention } from './self-attention.ts';

export const mixers = new Registry<MixerKind>('mixer');

mixers.register('attention', {
  part: 'selfAttention',
  create: (scope, config, positions) => new SelfAttention(scope, config, positions),
});
