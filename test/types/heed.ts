// What `heed` promises TypeScript: parameters and results of the main calls.

import {
  bundledModel,
  Glossary,
  isHeedError,
  loadModel,
  type PairScore,
  type StoredModel,
  saveModel,
  type Trace,
  type TranslatedLine,
  type Translation,
  Translator,
  TranslatorPool,
  train,
} from 'heed';
import { exactly } from './exactly.ts';

export async function translates(signal: AbortSignal) {
  exactly<string>()(await bundledModel());
  const translator = await Translator.load('my-model', { threads: 1 });
  exactly<Translator>()(translator);
  exactly<Translator>()(await Translator.load(['one', 'other']));
  exactly<string>()(
    await translator.translate('A dog runs.', { beam: 5, lengthPenalty: 'gnmt:0.6', to: 'de', signal }),
  );
  exactly<string[]>()(await translator.translate(['A dog runs.', 'A cat sleeps.']));
  const lines = await translator.translateAll(['A dog runs.'], {
    nBest: 3,
    glossary: new Glossary([]),
    attention: true,
  });
  exactly<TranslatedLine[]>()(lines);
  exactly<readonly Translation[]>()(lines[0].translations);
  exactly<readonly number[]>()(lines[0].translations[0].logProbabilities);
  exactly<AsyncGenerator<string, Translation>>()(translator.stream('A dog runs.', { sampling: { temperature: 0.8 } }));
  exactly<PairScore[]>()(await translator.score([{ source: 'A dog runs.', target: 'Ein Hund rennt.' }]));
  exactly<Trace>()(await translator.trace('A dog runs.', { search: true }));
  exactly<void>()(await translator.release());
}

export async function translatesInThreads() {
  const pool = new TranslatorPool(['my-model'], { workers: 2 });
  exactly<TranslatedLine[]>()(await pool.translateAll(['A dog runs.']));
  exactly<AsyncGenerator<TranslatedLine>>()(pool.translateLines(['A dog runs.']));
}

export async function trains(signal: AbortSignal) {
  const files = { source: 'train.en', target: 'train.de', model: 'my-model' };
  const result = await train({ ...files, preset: 'small', epochs: 2, dModel: 64 }, { signal });
  exactly<string>()(result.model);
  exactly<'finished' | 'patience' | 'interrupted' | 'already finished'>()(result.outcome);
}

export async function keepsModels(error: unknown) {
  const model = await loadModel('my-model');
  exactly<StoredModel>()(model);
  exactly<void>()(await saveModel('copy', model));
  if (isHeedError(error)) exactly<string>()(error.message);
}
