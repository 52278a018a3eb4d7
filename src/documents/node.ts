// The Node edge: documents in a thread of their own.

export { DocumentsThread } from './thread/documents-thread.ts';
export type { DocumentTask, SplitResult, SplitTask } from './thread/protocol.ts';
