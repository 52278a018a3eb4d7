// The position schemes by name, as the option `positions` chooses them.

import { Registry } from '../../base/registry.ts';
import { learned } from './learned.ts';
import { rotary } from './rotary.ts';
import type { PositionScheme } from './scheme.ts';
import { concatenated, interleaved } from './sinusoids.ts';

export const positionSchemes = new Registry<PositionScheme>('position scheme');

positionSchemes.register('interleaved', interleaved);
positionSchemes.register('concatenated', concatenated);
positionSchemes.register('learned', learned);
positionSchemes.register('rotary', rotary);
/** No position information. */
positionSchemes.register('none', { create: () => ({}) });
