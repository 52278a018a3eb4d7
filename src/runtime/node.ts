// The engine in Node: onnxruntime-node, native kernels.

import { nativeSession } from './node-session.ts';
import { compileWith } from './program.ts';

export { compileShared, openSharedPrograms, removeSharedPrograms, type SharedPrograms } from './node-shared.ts';

/** Compiles for this machine's native kernels. */
export const compile = compileWith({ load: nativeSession });
