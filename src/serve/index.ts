// Floor 6: translation over HTTP.

export type { LanguagesAnswer, SettingsAnswer } from './libretranslate-schemas.ts';
export { type ModelFolder, parseModels } from './model-names.ts';
export { type ServeOptions, serveOptions } from './options.ts';
export { parseRuns } from './run-names.ts';
export type { RunEvents, RunList, RunMessage, RunState, RunSummary } from './run-schemas.ts';
export type { RunsOptions } from './runs.ts';
export { HeedServer, type ServerSetup } from './server.ts';
export type {
  InspectRequest,
  ModelsAnswer,
  SentenceAnswer,
  StreamAnswer,
  StreamEvents,
  StreamRequest,
  TranslateAnswer,
  TranslateRequest,
  TranslationAnswer,
} from './v1-schemas.ts';
