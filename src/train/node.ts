// The Node edge: a thread that helps with the updates.

export { startAdamThread } from './adam-thread.ts';
