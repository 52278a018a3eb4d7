// The Node edge: translation in worker threads.

export { type PoolSetup, TranslatorPool } from './threads/pool.ts';
export type { ModelFacts } from './threads/protocol.ts';
