// A button for each head, in its colour: a click toggles its lines, a double click shows it alone.

import { css, type Rgb } from '../drawing/colour.ts';
import { isolated, toggled } from './head-choice.ts';
import { words } from './words.ts';

interface HeadLegendProps {
  readonly colours: readonly Rgb[];
  readonly heads: readonly number[];
  /** Of each head, in bits. */
  readonly entropies: readonly number[];
  readonly onHeads: (heads: number[]) => void;
}

export function HeadLegend({ colours, heads, entropies, onHeads }: HeadLegendProps) {
  const isolate = (head: number) => onHeads(isolated(heads, head, colours.length));
  return (
    <fieldset class="head-legend">
      <legend class="hint">
        <span class="visually-hidden">{words.value.heads}. </span>
        {words.value.headsHint}
      </legend>
      {colours.map((colour, head) => (
        <button
          key={head}
          type="button"
          class="head-toggle"
          style={{ '--head': css(colour) }}
          aria-pressed={heads.includes(head)}
          onClick={() => onHeads(toggled(heads, head))}
          onDblClick={() => isolate(head)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !event.shiftKey) return;
            event.preventDefault();
            isolate(head);
          }}
        >
          <span class="swatch" />
          {words.value.head(head + 1)}
          <span class="hint number">
            <span class="visually-hidden">{words.value.entropy} </span>
            {entropies[head].toFixed(1)} {words.value.bits}
          </span>
        </button>
      ))}
    </fieldset>
  );
}
