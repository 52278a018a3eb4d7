// The alternative translations of each sentence with their scores; choosing one shows it in place of the best.

import type { SentenceAnswer } from '../../../src/serve/index.ts';
import { choose, chosenTranslation, isCurrent, sentences } from './outcome.ts';
import { words } from './words.ts';

export function Alternatives() {
  const several = sentences.value
    .map((sentence, number) => ({ sentence, number }))
    .filter(({ sentence }) => sentence.translations.length > 1);
  if (several.length === 0 || !isCurrent.value) return undefined;
  return (
    <section class="alternatives">
      {several.map(({ sentence, number }) => (
        <AlternativesOf key={number} sentence={sentence} number={number} />
      ))}
    </section>
  );
}

function AlternativesOf({ sentence, number }: { readonly sentence: SentenceAnswer; readonly number: number }) {
  const name = `alternatives-${number}`;
  return (
    <fieldset>
      <legend>
        {sentences.value.length === 1 ? words.value.alternatives : words.value.alternativesOf(number + 1)}
      </legend>
      {sentence.translations.map(({ text, score }, i) => (
        <label key={i} class="alternative">
          <input
            type="radio"
            name={name}
            checked={i === chosenTranslation(number)}
            onChange={() => choose(number, i)}
          />
          <span dir="auto">{text}</span>
          <span class="number hint" title={words.value.score}>
            {score.toFixed(3).replace('-', '−')}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
