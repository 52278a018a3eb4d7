// Translation over HTTP: its options and types; the server itself is behind node.ts, so that other
// commands need not load it.

export type { LanguagesAnswer, SettingsAnswer } from './libretranslate/schemas.ts';
export { type ModelFolder, parseModels } from './models/model-names.ts';
export { type ServeOptions, serveOptions } from './options.ts';
export type { RunsOptions } from './runs/routes.ts';
export { parseRuns } from './runs/run-names.ts';
export type { RunEvents, RunList, RunMessage, RunState, RunSummary } from './runs/schemas.ts';
export type { HeedServer, ServerSetup } from './server.ts';
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
} from './v1/schemas.ts';
