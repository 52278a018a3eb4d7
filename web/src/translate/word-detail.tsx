// Details of the active word: the words it is aligned with, and its probability.

import { active } from './active.ts';
import type { ShownUnit } from './aligned.ts';
import { aligned, isCurrent, text } from './outcome.ts';
import { settings } from './settings.ts';
import { words } from './words.ts';

export function WordDetail() {
  const { side, unit } = active.value ?? {};
  const found = side && isCurrent.value ? aligned.value[side][unit ?? 0] : undefined;
  return (
    <div class="word-detail hint" id="translate-words-hint" aria-live="polite">
      {found && side ? <Detail unit={found} side={side} /> : <Legend />}
    </div>
  );
}

function Detail({ unit, side }: { readonly unit: ShownUnit; readonly side: 'source' | 'target' }) {
  const texts = { source: settings.value.text, target: text.value };
  const other = side === 'source' ? 'target' : 'source';
  const linked = unit.links.map((i) => aligned.value[other][i]);
  const relation = side === 'source' ? words.value.becameWords : words.value.fromWords;
  const pieces = (side === 'target' ? [unit] : linked).flatMap((one) => one.pieces);
  return (
    <>
      <bdi class="word-text">{texts[side].slice(unit.start, unit.end)}</bdi>{' '}
      {linked.length === 0 ? (
        words.value.fromNothing
      ) : (
        <>
          {relation}{' '}
          <bdi class="word-text">{linked.map(({ start, end }) => texts[other].slice(start, end)).join(' ')}</bdi>
        </>
      )}
      {pieces.map(({ start, end, probability }) => (
        <span key={start} class="piece-detail">
          {pieces.length > 1 && <bdi>{text.value.slice(start, end)} </bdi>}
          <span class="number">{percent(probability)}</span>
        </span>
      ))}
    </>
  );
}

function Legend() {
  if (aligned.value.target.length === 0) return undefined;
  return (
    <>
      {words.value.pointHint}{' '}
      <span class="legend">
        {words.value.unsure} <span class="legend-scale" aria-hidden="true" /> {words.value.sure}
      </span>
    </>
  );
}

/** `99.7 %` is not rounded to 100 %. */
function percent(probability: number): string {
  return probability > 0.99 || probability < 0.01
    ? `${(100 * probability).toFixed(1)} %`
    : `${Math.round(100 * probability)} %`;
}
