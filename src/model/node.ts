// The file-system edge: model folders on disk, and files that a crash never leaves half-written.

export { removePartials, writeFileAtomically } from './atomic.ts';
export { appendJsonLine, truncateFile } from './event-log.ts';
export { listFolder, makeFolder, readFileIfAny, removeEmptyFolder, removeFile } from './files.ts';
export { loadModel, saveModel } from './folder.ts';
