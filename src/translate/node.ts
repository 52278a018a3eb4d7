// The Node edge: translation in worker threads.

export { type PoolSetup, TranslatorPool } from './pool.ts';
export type { ModelFacts } from './pool-messages.ts';
