// The sentence to inspect, and optionally its translation. Both are written to the URL, which triggers the request.

import { type Signal, useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { route, setParameters } from '../router.ts';
import { DirectionSelect } from './direction-select.tsx';
import { words } from './words.ts';

interface SentenceBarProps {
  /** Whether the user may give a translation for the decoder to read. */
  readonly takesTranslation: boolean;
}

export function SentenceBar({ takesTranslation }: SentenceBarProps) {
  const { parameters } = route.value;
  const text = useSignal('');
  const translation = useSignal('');
  const [given, givenTranslation] = [parameters.get('text') ?? '', parameters.get('translation') ?? ''];
  useEffect(() => {
    text.value = given;
    translation.value = givenTranslation;
  }, [given, givenTranslation, text, translation]);
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Selected words and a given translation do not apply to another sentence.
    const isOther = text.value !== given;
    const changes = {
      text: text.value,
      translation: isOther && translation.value === givenTranslation ? '' : translation.value,
    };
    setParameters(isOther ? { ...changes, word: undefined, token: undefined } : changes);
  };
  return (
    <form class="sentence-bar" onSubmit={submit}>
      <TextField label={words.value.sentence} text={text} />
      {takesTranslation && (
        <TextField label={words.value.translation} hint={words.value.translationHint} text={translation} />
      )}
      <DirectionSelect />
      <button type="submit" class="primary">
        {words.value.look}
      </button>
    </form>
  );
}

interface TextFieldProps {
  /** For screen readers. */
  readonly label: string;
  /** What an empty field shows; default: the label. */
  readonly hint?: string;
  readonly text: Signal<string>;
}

function TextField({ label, hint = label, text }: TextFieldProps) {
  const id = useId();
  return (
    <>
      <label class="visually-hidden" for={id}>
        {label}
      </label>
      <input
        id={id}
        class="sentence-text"
        type="text"
        autocomplete="off"
        placeholder={hint}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
      />
    </>
  );
}
