// All operators.

import { crossEntropy, crossEntropyGradient } from './cross-entropy.ts';
import * as elementwise from './elementwise.ts';
import { concatenate, pad, reshape, slice, transpose } from './layout.ts';
import * as leaf from './leaf.ts';
import { matmul } from './matmul.ts';
import * as normalize from './normalize.ts';
import * as reduce from './reduce.ts';
import { scan } from './scan.ts';
import * as select from './select.ts';

export const operators = {
  ...leaf,
  ...elementwise,
  matmul,
  ...reduce,
  concatenate,
  pad,
  reshape,
  slice,
  transpose,
  scan,
  ...select,
  ...normalize,
  crossEntropy,
  crossEntropyGradient,
};
