// Texts of users: plain text and HTML in and out of sentences, and which language they are in.

export { hasWords, keptSpans } from './kept.ts';
export { type DetectedLanguage, detectLanguages } from './languages.ts';
export { separatorOf } from './spacing.ts';
export { type Sentence, splitText } from './split-text.ts';
export { textOfHtml, translateHtml } from './translate-html.ts';
export { translateText } from './translate-text.ts';
export {
  type Link,
  type TranslatedSentence,
  type TranslateSentences,
  translatedSentence,
} from './translated-sentence.ts';
