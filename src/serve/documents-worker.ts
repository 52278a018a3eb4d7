// What runs in the thread of documents: texts are split, HTML is taken apart and put together again, and languages are
// detected here, so that no text, however long, keeps the server from answering. Translating itself is asked for outside.

import { parentPort } from 'node:worker_threads';
import { sentError } from '../base/sent-error.ts';
import type { TranslatedLine } from '../translate/index.ts';
import {
  detectLanguages,
  hasWords,
  keptSpans,
  splitText,
  textOfHtml,
  translatedSentence,
  translateHtml,
  translateText,
} from './documents/index.ts';
import type {
  DocumentResults,
  DocumentTask,
  FromDocuments,
  SplitTask,
  ToDocuments,
  TranslateTask,
  WantedSentences,
} from './documents-messages.ts';

interface Call {
  readonly resolve: (lines: readonly TranslatedLine[]) => void;
  readonly reject: (error: Error) => void;
}

const calls = new Map<number, Call>();
let nextCall = 0;

parentPort?.on('message', async (message: ToDocuments) => {
  if ('task' in message) say(await answerTo(message));
  else settle(message);
});

function say(message: FromDocuments): void {
  parentPort?.postMessage(message);
}

async function answerTo({ id, task }: { id: number; task: DocumentTask }): Promise<FromDocuments> {
  try {
    return { id, result: await resultOf(task, id) };
  } catch (error) {
    return { id, error: sentError(error) };
  }
}

async function resultOf(task: DocumentTask, id: number): Promise<DocumentResults[DocumentTask['kind']]> {
  switch (task.kind) {
    case 'split':
      return split(task);
    case 'detect':
      return detectLanguages(task.format === 'html' ? textOfHtml(task.text) : task.text, task.known);
    default:
      return translate(task, id);
  }
}

function split({ text, language }: SplitTask): DocumentResults['split'] {
  const { lead, sentences } = splitText(text, { language });
  return { lead, sentences: sentences.map((sentence) => ({ ...sentence, hasWords: hasWords(sentence.text) })) };
}

/** Sentences are translated once; each version of the document is made from those translations. */
async function translate({ kind, text, language, versions }: TranslateTask, id: number): Promise<string[]> {
  const translateDocument = kind === 'html' ? translateHtml : translateText;
  const withLinks = kind === 'html' || keptSpans(text).length > 0;
  let lines: readonly TranslatedLine[] | undefined;
  const documents: string[] = [];
  for (let rank = 0; rank < versions; rank++) {
    const translateSentences = async (sentences: readonly string[]) => {
      lines ??= await translated(id, { sentences, withLinks });
      return lines.map((line) => translatedSentence(line, Math.min(rank, line.translations.length - 1)));
    };
    documents.push(await translateDocument(text, translateSentences, { language }));
  }
  return documents;
}

function translated(id: number, wanted: WantedSentences): Promise<readonly TranslatedLine[]> {
  const call = nextCall++;
  say({ id, call, wanted });
  return new Promise((resolve, reject) => calls.set(call, { resolve, reject }));
}

function settle({ call, lines }: Extract<ToDocuments, { call: number }>): void {
  const waiting = calls.get(call);
  calls.delete(call);
  if (lines === undefined) waiting?.reject(new Error('the sentences were not translated'));
  else waiting?.resolve(lines);
}
