// View "attention": every head of every layer, for encoder, decoder and cross-attention.

import { computed } from '@preact/signals';
import { Inspected } from '../inspect/inspected.tsx';
import { questionOf } from '../inspect/question.ts';
import { useTrace } from '../inspect/use-trace.ts';
import { route } from '../router.ts';
import { AttentionExplorer } from './attention-explorer.tsx';
import { words } from './words.ts';
import './attention.css';

const question = computed(() => (route.value.view === 'attention' ? questionOf(route.value) : undefined));

export function AttentionView() {
  const state = useTrace(question);
  return (
    <Inspected title={words.value.title} intro={words.value.intro} state={state} takesTranslation={true}>
      {(trace) => <AttentionExplorer trace={trace} />}
    </Inspected>
  );
}
