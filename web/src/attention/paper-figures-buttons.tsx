// Buttons that show the figures of the paper's appendix for this sentence and this model.

import type { Trace } from '../../../src/translate/index.ts';
import { setParameters } from '../router.ts';
import { paperFigures } from './paper-figures.ts';
import { boundsOf } from './selection.ts';
import { formatHeads } from './state.ts';
import { words } from './words.ts';

export function PaperFigures({ trace }: { readonly trace: Trace }) {
  const bounds = boundsOf(trace, 'encoder');
  const pieces = trace.source.tokens.map(({ piece }) => piece);
  return (
    <div class="paper-figures">
      <h3>{words.value.figures}</h3>
      {paperFigures(bounds, pieces).map(({ kind, view, layer, heads, word }, i) => (
        <button
          key={i}
          type="button"
          class="quiet"
          onClick={() =>
            setParameters({
              attention: kind,
              view,
              layer: String(layer + 1),
              heads: formatHeads(heads, bounds.heads),
              head: String(heads[0] + 1),
              word: word === undefined ? undefined : String(word),
            })
          }
        >
          {words.value.figureNames[i]}
        </button>
      ))}
    </div>
  );
}
