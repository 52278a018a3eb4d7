// The translate view: translation while typing, with word alignment and the model's confidence.

import './translate.css';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Notice } from '../design/notice.tsx';
import { words as frameWords } from '../words.ts';
import { Alternatives } from './alternatives.tsx';
import { LanguageBar } from './language-bar.tsx';
import { loadModels, models } from './models.ts';
import { translateWhenAsked } from './outcome.ts';
import { SearchOptions } from './search-options.tsx';
import { followAddress } from './settings.ts';
import { SourceBox } from './source-box.tsx';
import { TargetBox } from './target-box.tsx';
import { words } from './words.ts';

export function TranslateView() {
  const failure = useSignal<string | undefined>(undefined);
  const load = async () => {
    failure.value = undefined;
    await loadModels().catch((error: Error) => {
      failure.value = error.message;
    });
  };
  useEffect(() => {
    const ends = [followAddress(), translateWhenAsked()];
    void load();
    return () => {
      for (const end of ends) end();
    };
  }, []);
  return (
    <>
      <h1 class="visually-hidden">{frameWords.value.views.translate}</h1>
      {failure.value !== undefined && (
        <Notice>
          {failure.value}{' '}
          <button type="button" onClick={load}>
            {frameWords.value.tryAgain}
          </button>
        </Notice>
      )}
      {models.value?.length === 0 ? <NoModels /> : <Translation />}
    </>
  );
}

function Translation() {
  return (
    <>
      <LanguageBar />
      <div class="translate-boxes">
        <SourceBox />
        <TargetBox />
      </div>
      <SearchOptions />
      <Alternatives />
    </>
  );
}

function NoModels() {
  return (
    <>
      <p>{words.value.noModels}</p>
      <pre class="command">heed serve --model DIR</pre>
    </>
  );
}
