// The code of the documents thread: it splits texts, takes HTML apart and puts it together again, and detects languages, so
// that no text, however long, blocks the caller's thread. It asks its caller for the translations.

import { answerCalls, type CallContext } from '../../base/worker-calls.ts';
import type { TranslatedLine } from '../../translate/index.ts';
import {
  detectLanguages,
  hasWords,
  keptSpans,
  splitText,
  textOfHtml,
  translatedSentence,
  translateHtml,
  translateText,
} from '../index.ts';
import type { DocumentsProtocol, DocumentTask, SplitResult, SplitTask } from './protocol.ts';

answerCalls<DocumentsProtocol>({
  split,
  detectLanguages: ({ text, format, known }) => detectLanguages(format === 'html' ? textOfHtml(text) : text, known),
  translateDocument,
});

function split({ text, language }: SplitTask): SplitResult {
  const { lead, sentences } = splitText(text, { language });
  return { lead, sentences: sentences.map((sentence) => ({ ...sentence, hasWords: hasWords(sentence.text) })) };
}

/** Sentences are translated once; each version of the document is made from those translations. */
async function translateDocument(
  { format, text, language, versions }: DocumentTask,
  { ask }: CallContext<DocumentsProtocol['translateDocument']>,
): Promise<string[]> {
  const translate = format === 'html' ? translateHtml : translateText;
  const withLinks = format === 'html' || keptSpans(text).length > 0;
  let lines: readonly TranslatedLine[] | undefined;
  const documents: string[] = [];
  for (let rank = 0; rank < versions; rank++) {
    const translateSentences = async (sentences: readonly string[]) => {
      lines ??= await ask({ sentences, withLinks });
      return lines.map((line) => translatedSentence(line, Math.min(rank, line.translations.length - 1)));
    };
    documents.push(await translate(text, translateSentences, { language }));
  }
  return documents;
}
