// Documents of users. Plain text and HTML are split into sentences and put together again around their
// translations; languages are detected.

export { textOfHtml, translateHtml } from './html/translate-html.ts';
export { hasWords, keptSpans } from './kept.ts';
export { type DetectedLanguage, detectLanguages } from './languages/detect-languages.ts';
export {
  type Link,
  type TranslatedSentence,
  type TranslateSentences,
  translatedSentence,
} from './markup/translated-sentence.ts';
export { separatorOf } from './sentences/spacing.ts';
export { type Sentence, splitText } from './sentences/split-text.ts';
export { translateText } from './text/translate-text.ts';
