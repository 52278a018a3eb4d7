// The Node edge: translation in worker threads.

export { TranslatorPool } from './pool.ts';
