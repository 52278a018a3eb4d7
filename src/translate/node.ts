// The Node edge: translators of model folders, in this thread and in worker threads.

export { NodeTranslator as Translator } from './node-translator.ts';
export { type PoolSetup, TranslatorPool } from './threads/pool.ts';
export type { ModelFacts } from './threads/protocol.ts';
