// Translation: text in, text out.

export { type EngineOptions, TranslationEngine } from './engine.ts';
export { encodeGraph, stepGraph } from './graphs.ts';
export {
  type TranslatedLine,
  type TranslateOptions,
  type Translation,
  Translator,
  type TranslatorSetup,
} from './translator.ts';
