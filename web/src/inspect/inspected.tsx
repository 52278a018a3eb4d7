// The common frame of the inspecting views: the sentence, the state of its request, and the view of its trace.

import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Trace } from '../../../src/translate/index.ts';
import { Notice } from '../design/notice.tsx';
import { route, setParameters } from '../router.ts';
import { SentenceBar } from './sentence-bar.tsx';
import type { TraceState } from './use-trace.ts';
import { words } from './words.ts';
import './inspect.css';

interface InspectedProps {
  readonly title: string;
  readonly intro: string;
  readonly state: ReadonlySignal<TraceState>;
  readonly takesTranslation: boolean;
  readonly children: (trace: Trace) => ComponentChildren;
}

/** A short sentence, and the one of the figures in the paper's appendix. */
const examples = [
  'Two old friends drink tea in the garden.',
  'It is in this spirit that a majority of American governments have passed new laws since 2009 making the registration or voting process more difficult.',
];

export function Inspected({ title, intro, state, takesTranslation, children }: InspectedProps) {
  const { trace, isLoading, problem } = state.value;
  return (
    <div class="inspected">
      <header class="inspected-header">
        <h1>{title}</h1>
        <p class="hint">{intro}</p>
      </header>
      <SentenceBar takesTranslation={takesTranslation} />
      {problem !== undefined && <Notice>{problem}</Notice>}
      {trace !== undefined && (isLoading || problem !== undefined) && <p class="hint">{words.value.outdated}</p>}
      <p class="hint" role="status">
        {isLoading && words.value.loading}
      </p>
      {trace === undefined && !route.value.parameters.get('text') && <Examples />}
      {trace !== undefined && <div class={isLoading ? 'outdated' : undefined}>{children(trace)}</div>}
    </div>
  );
}

function Examples() {
  return (
    <div class="examples">
      <p>{words.value.empty}</p>
      {examples.map((text) => (
        <button
          key={text}
          type="button"
          class="quiet example"
          onClick={() => setParameters({ text, translation: undefined })}
        >
          “{text}”
        </button>
      ))}
    </div>
  );
}
