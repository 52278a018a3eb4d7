// The file-system edge: model folders on disk, and files that a crash never leaves half-written.

export { writeFileAtomically } from './atomic.ts';
export { appendJsonLine, truncateFile } from './event-log.ts';
export { fileError } from './file-error.ts';
export { listFolder, makeFolder, readFileIfAny, removeFile } from './files.ts';
export { loadModel, type SaveOptions, saveModel } from './folder.ts';
