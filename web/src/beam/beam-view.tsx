// View "beam": the search for a translation as a tree, its scores, and why the winner won.

import { computed } from '@preact/signals';
import { Inspected } from '../inspect/inspected.tsx';
import { questionOf } from '../inspect/question.ts';
import { useTrace } from '../inspect/use-trace.ts';
import { route } from '../router.ts';
import { BeamSearch } from './beam-search.tsx';
import { parseBeam } from './state.ts';
import { words } from './words.ts';
import './beam.css';

/** Always the model's own translation, since there is no search for a given one. */
const question = computed(() => {
  if (route.value.view !== 'beam') return undefined;
  const asked = questionOf(route.value);
  const { beam, lengthPenalty } = parseBeam(route.value.parameters);
  const penalty = lengthPenalty === undefined ? undefined : `gnmt:${lengthPenalty}`;
  return asked && { ...asked, translation: undefined, search: true, beam, lengthPenalty: penalty };
});

export function BeamView() {
  const state = useTrace(question);
  return (
    <Inspected title={words.value.title} intro={words.value.intro} state={state} takesTranslation={false}>
      {({ search }) => (search === undefined ? <p>{words.value.blank}</p> : <BeamSearch search={search} />)}
    </Inspected>
  );
}
