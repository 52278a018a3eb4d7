// Model folders on disk and atomic writes (Node only).

export { removePartials, writeFileAtomically } from './atomic.ts';
export { appendJsonLine, truncateFile } from './event-log.ts';
export { listFolder, makeFolder, readFileIfAny, removeEmptyFolder, removeFile } from './files.ts';
export { loadModel, saveModel } from './folder.ts';
