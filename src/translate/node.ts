// Translation in worker threads (Node only).

export { type PoolSetup, TranslatorPool } from './threads/pool.ts';
export type { ModelFacts } from './threads/protocol.ts';
