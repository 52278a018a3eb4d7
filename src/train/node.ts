// Adam's helper thread (Node only).

export { startAdamThread } from './adam-thread.ts';
