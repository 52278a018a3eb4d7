// The engine in Node: onnxruntime-node, native kernels.

import { supports } from '../onnxruntime.ts';
import { compileWith } from '../program.ts';
import { nativeSession } from './session.ts';

export { compileShared, openSharedPrograms, removeSharedPrograms, type SharedPrograms } from './shared.ts';

/** Compiles for this machine's native kernels. */
export const compile = compileWith({ supports, load: nativeSession });
