// The frame around the views: navigation, language, theme, and the view that the URL names.

import { signal, useSignalEffect } from '@preact/signals';
import type { ComponentType } from 'preact';
import { Notice } from './design/notice.tsx';
import { chooseLanguage, type Language, language, languages } from './language.ts';
import { hashOfView, route, type ViewName, viewNames } from './router.ts';
import { chooseTheme, theme, themes } from './theme.ts';
import { viewLoaders } from './views.ts';
import { words } from './words.ts';

type Shown = { readonly name: ViewName; readonly View?: ComponentType; readonly failed?: boolean };

const shown = signal<Shown>({ name: route.value.view });

async function load(name: ViewName): Promise<void> {
  shown.value = { name };
  const loaded = await viewLoaders[name]().then(
    (View): Shown => ({ name, View }),
    (): Shown => ({ name, failed: true }),
  );
  if (shown.value.name === name) shown.value = loaded;
}

export function Shell() {
  useSignalEffect(() => {
    const { view } = route.value;
    if (shown.peek().name !== view || !shown.peek().View) void load(view);
  });
  useSignalEffect(() => {
    document.title = `${words.value.views[route.value.view]} · heed`;
  });
  return (
    <>
      <button type="button" class="skip-link" onClick={() => document.getElementById('content')?.focus()}>
        {words.value.skipToContent}
      </button>
      <header class="page-header">
        <a class="brand" href={hashOfView('translate')}>
          heed
        </a>
        <Navigation />
        <Preferences />
      </header>
      <main id="content" class="page-content" tabIndex={-1}>
        <ShownView />
      </main>
    </>
  );
}

function ShownView() {
  const { View, failed } = shown.value;
  if (View) return <View />;
  if (!failed) return <p class="hint">{words.value.loading}</p>;
  // Browsers cache a failed module import until the page is reloaded. The URL keeps the state.
  return (
    <Notice>
      {words.value.viewFailed}{' '}
      <button type="button" onClick={() => location.reload()}>
        {words.value.tryAgain}
      </button>
    </Notice>
  );
}

function Navigation() {
  return (
    <nav class="page-navigation" aria-label={words.value.viewsOfPage}>
      {viewNames.map((name) => (
        <a key={name} href={hashOfView(name)} aria-current={name === route.value.view ? 'page' : undefined}>
          {words.value.views[name]}
        </a>
      ))}
    </nav>
  );
}

function Preferences() {
  return (
    <div class="page-preferences">
      <select
        aria-label={words.value.interfaceLanguage}
        value={language.value}
        onChange={({ currentTarget }) => chooseLanguage(currentTarget.value as Language)}
      >
        {Object.entries(languages).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label={words.value.theme}
        value={theme.value}
        onChange={({ currentTarget }) => chooseTheme(themes[currentTarget.selectedIndex])}
      >
        {themes.map((name) => (
          <option key={name} value={name}>
            {words.value.themes[name]}
          </option>
        ))}
      </select>
    </div>
  );
}
