// View "walk through": the forward pass of the user's sentence, stage by stage.

import { computed } from '@preact/signals';
import { Inspected } from '../inspect/inspected.tsx';
import { questionOf } from '../inspect/question.ts';
import { useTrace } from '../inspect/use-trace.ts';
import { route } from '../router.ts';
import { parseWalk } from './state.ts';
import { WalkThrough } from './walk-through.tsx';
import { words } from './words.ts';
import './walk-through.css';
import './matrices.css';

/** The results of the chosen layer, and the search for its last step. */
const question = computed(() => {
  if (route.value.view !== 'walk-through') return undefined;
  const asked = questionOf(route.value);
  const { layer } = parseWalk(route.value.parameters);
  return asked && { ...asked, tensors: layer, search: true };
});

export function WalkThroughView() {
  const state = useTrace(question);
  return (
    <Inspected title={words.value.title} intro={words.value.intro} state={state} takesTranslation={true}>
      {(trace) => <WalkThrough trace={trace} />}
    </Inspected>
  );
}
