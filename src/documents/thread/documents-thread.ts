// A thread that takes documents apart and puts them together again. It works on many at once, and never translates itself.

import { builtWorker } from '../../base/built-worker.ts';
import { WorkerChannel } from '../../base/worker-channel.ts';
import type { TranslatedLine } from '../../translate/index.ts';
import type { DetectedLanguage } from '../index.ts';
import type {
  DetectTask,
  DocumentsProtocol,
  DocumentTask,
  SentencesToTranslate,
  SplitResult,
  SplitTask,
} from './protocol.ts';

/** Translates the sentences of a document, in order. */
export type TranslateSentencesOf = (wanted: SentencesToTranslate) => Promise<readonly TranslatedLine[]>;

export class DocumentsThread {
  private started: WorkerChannel<DocumentsProtocol> | undefined;

  /** @param onCrash called when the thread ended by itself; what it was at has failed, and the next call starts another */
  constructor(private readonly onCrash: () => void = () => {}) {}

  /** The sentences of a text, and the white space between them. */
  split(task: SplitTask): Promise<SplitResult> {
    return this.worker().call('split', task);
  }

  /** Best first; at least one. */
  detectLanguages(task: DetectTask): Promise<readonly DetectedLanguage[]> {
    return this.worker().call('detectLanguages', task);
  }

  /** The document in its versions, best first. `translate` is called once at most; rejects as it does. */
  translateDocument(task: DocumentTask, translate: TranslateSentencesOf): Promise<readonly string[]> {
    return this.worker().call('translateDocument', task, { onQuestion: translate });
  }

  /** Ends the thread; what it is at fails. */
  async release(): Promise<void> {
    const { started } = this;
    this.started = undefined;
    await started?.end();
  }

  private worker(): WorkerChannel<DocumentsProtocol> {
    this.started ??= new WorkerChannel({
      name: 'documents thread',
      file: builtWorker('documents/thread/worker.js'),
      onCrash: () => {
        this.started = undefined;
        this.onCrash();
      },
    });
    return this.started;
  }
}
