// A row of radio buttons.

import { useId } from 'preact/hooks';

interface ChoiceProps<Name extends string> {
  readonly label: string;
  readonly options: readonly Name[];
  readonly names: Readonly<Record<Name, string>>;
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
}

export function Choice<Name extends string>({ label, options, names, chosen, onChoose }: ChoiceProps<Name>) {
  const group = useId();
  return (
    <fieldset class="choice">
      <legend class="visually-hidden">{label}</legend>
      {options.map((name) => (
        <label key={name} class="choice-option">
          <input
            type="radio"
            class="visually-hidden"
            name={group}
            value={name}
            checked={name === chosen}
            onChange={() => onChoose(name)}
          />
          <span>{names[name]}</span>
        </label>
      ))}
    </fieldset>
  );
}
