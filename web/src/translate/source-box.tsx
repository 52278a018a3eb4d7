// The source text. Behind the text field is the same text, invisible, in units that can be highlighted; it also makes
// the field as high as its text.

import type { ComponentChildren, RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { active, lit } from './active.ts';
import type { ShownUnit } from './aligned.ts';
import { characterLimit } from './models.ts';
import { aligned, isCurrent } from './outcome.ts';
import { change, settings } from './settings.ts';
import { words } from './words.ts';

export function SourceBox() {
  const field = useRef<HTMLTextAreaElement>(null);
  const clear = () => {
    change({ text: '' });
    field.current?.focus();
  };
  return (
    <section class="translate-box panel" aria-label={words.value.source}>
      <div class="writing">
        <Backdrop />
        <Field field={field} />
      </div>
      <footer class="translate-foot">
        <Counter />
        {settings.value.text !== '' && (
          <button type="button" class="quiet" onClick={clear}>
            {words.value.clear}
          </button>
        )}
      </footer>
    </section>
  );
}

function Field({ field }: { readonly field: RefObject<HTMLTextAreaElement | null> }) {
  return (
    <textarea
      ref={field}
      class="writing-text"
      dir="auto"
      spellcheck={false}
      rows={4}
      aria-label={words.value.source}
      aria-describedby="translate-counter"
      placeholder={words.value.placeholder}
      value={settings.value.text}
      onInput={({ currentTarget }) => change({ text: currentTarget.value })}
      onPointerMove={pointAtSource}
      onPointerLeave={() => {
        active.value = undefined;
      }}
      onSelect={({ currentTarget }) => stepTo(currentTarget)}
      onKeyUp={({ currentTarget }) => stepTo(currentTarget)}
      onBlur={() => {
        active.value = undefined;
      }}
    />
  );
}

/** The unit at the caret, unless text is selected. */
function stepTo({ selectionStart, selectionEnd }: HTMLTextAreaElement): void {
  const unit = aligned.value.source.findIndex(({ start, end }) => start <= selectionStart && selectionStart <= end);
  if (unit < 0 || selectionStart !== selectionEnd || !isCurrent.value) active.value = undefined;
  else active.value = { side: 'source', unit };
}

/** The field covers the units, so the unit under the pointer is looked up by coordinates. */
function pointAtSource({ clientX, clientY }: PointerEvent): void {
  const under = document.elementsFromPoint(clientX, clientY);
  const found = under.find((element) => element instanceof HTMLElement && element.dataset.unit !== undefined);
  const unit = found instanceof HTMLElement ? Number(found.dataset.unit) : undefined;
  active.value = unit === undefined ? undefined : { side: 'source', unit };
}

function Backdrop() {
  const { text } = settings.value;
  // The line feed keeps the height of a last, empty line.
  return (
    <div class="writing-backdrop" dir="auto" aria-hidden="true">
      {isCurrent.value ? litText(text, aligned.value.source) : text}
      {'\n'}
    </div>
  );
}

function litText(text: string, units: readonly ShownUnit[]): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const [unit, { start, end }] of units.entries()) {
    parts.push(
      text.slice(at, start),
      <span key={unit} data-unit={unit} class={lit.value.source.has(unit) ? 'unit lit' : 'unit'}>
        {text.slice(start, end)}
      </span>,
    );
    at = end;
  }
  return [...parts, text.slice(at)];
}

function Counter() {
  const count = [...settings.value.text].length;
  const limit = characterLimit.value;
  const isOver = limit !== undefined && count > limit;
  return (
    <span id="translate-counter" class={isOver ? 'hint number over' : 'hint number'}>
      {words.value.characters(count, limit)}
    </span>
  );
}
