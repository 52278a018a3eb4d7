// One search: controls, tree, the selected node, the finished translations, and an explanation in words.

import { useMemo, useState } from 'preact/hooks';
import type { SearchNode, SearchTrace } from '../../../src/translate/index.ts';
import { route } from '../router.ts';
import { BeamControls } from './beam-controls.tsx';
import { layoutTree } from './layout.ts';
import { NodeFacts } from './node-facts.tsx';
import { Results } from './results.tsx';
import { SearchTree } from './search-tree.tsx';
import { parseBeam } from './state.ts';
import { drawnNodes, storyOf } from './story.ts';
import { WhyWon } from './why-won.tsx';
import { words } from './words.ts';

const prunedPerStep = { none: 0, few: 3, all: Number.POSITIVE_INFINITY };

export function BeamSearch({ search }: { readonly search: SearchTrace }) {
  const state = parseBeam(route.value.parameters);
  const [pointed, setPointed] = useState<SearchNode | undefined>(undefined);
  const placed = useMemo(
    () => layoutTree(drawnNodes(search, prunedPerStep[state.leftBehind])),
    [search, state.leftBehind],
  );
  const story = useMemo(() => storyOf(search), [search]);
  const winner = search.nodes[search.results[0]];
  const shown = pointed !== undefined && search.nodes[pointed.id] === pointed ? pointed : winner;
  return (
    <div class="beam">
      <BeamControls state={state} search={search} />
      <WhyWon search={search} story={story} />
      <section class="panel" aria-label={words.value.tree}>
        <SearchTree search={search} placed={placed} shown={shown} onPoint={setPointed} />
        {shown !== undefined && <NodeFacts search={search} node={shown} />}
      </section>
      <Results finished={story.finished} onPoint={setPointed} />
    </div>
  );
}
