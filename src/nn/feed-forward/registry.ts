// The feed-forward networks by name, as the option `activation` chooses them.

import { Registry } from '../../base/registry.ts';
import type { FeedForwardKind } from './feed-forward.ts';
import { geluFeedForward, reluFeedForward } from './position-wise.ts';
import { SwiGlu } from './swiglu.ts';

export const feedForwards = new Registry<FeedForwardKind>('feed-forward network');

feedForwards.register('relu', reluFeedForward);
feedForwards.register('gelu', geluFeedForward);
feedForwards.register('swiglu', (scope, config) => new SwiGlu(scope, config));
