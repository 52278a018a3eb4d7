// The texts of the frame, in the chosen language.

import { chinese } from './chinese.ts';
import { english } from './english.ts';
import { dictionary } from './language.ts';

export const words = dictionary({ en: english, zh: chinese });
