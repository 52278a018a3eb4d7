// The texts of the walk-through, in the chosen language.

import { dictionary } from '../language.ts';
import { chinese } from './chinese.ts';
import { english } from './english.ts';

export const words = dictionary({ en: english, zh: chinese });
