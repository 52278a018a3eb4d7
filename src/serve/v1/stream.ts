// POST /v1/translate/stream: a translation as server-sent events while it is written: `token` with the text that is
// new, then `done` with the whole translation, or `error`. Sentences are written one after the other.

import { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { untouched } from '../../translate/index.ts';
import { answerTo } from '../http/errors.ts';
import { described } from '../http/openapi.ts';
import { checked, checkSize, wellFormed } from '../http/validation.ts';
import type { InterfaceSetup } from '../interface.ts';
import { type Chosen, chooseModel } from '../models/choose-model.ts';
import type { SentenceOptions } from '../models/served-model.ts';
import type { Service } from '../service.ts';
import { sentenceOptions, translationAnswerOf } from './answers.ts';
import { type StreamAnswer, type StreamEvents, streamEvent, streamRequest } from './schemas.ts';

const description = `
The events are \`token\` with \`{"text": …}\`, the text that is new; then \`done\` with \`{"translation": …}\`, the whole text with the
decoding results that /v1/translate returns; or \`error\` with \`{"error": …}\`. The search is greedy, or sampling: beam search would
revise text that was already sent.`.trim();

export function addStream(app: FastifyInstance, { service, guard, options }: InterfaceSetup): void {
  const body = streamRequest(options);
  const schema = described({
    summary: 'Translate a text and stream the translation',
    description,
    tags: ['heed'],
    body,
    produces: 'text/event-stream',
    answer: streamEvent,
    isWork: true,
  });
  app.post(
    '/v1/translate/stream',
    guard.limited({ schema }),
    guard.admitted(async (request, signal, reply) => {
      const fields = checked(body, request.body);
      const text = wellFormed(fields.text);
      checkSize([text], options);
      const chosen = await chooseModel(service, fields, [text]);
      const events = new EventStream(reply);
      try {
        const writing = { service, chosen, options: sentenceOptions(fields), signal };
        const translation = await writeText(text, writing, (newText) => events.send('token', { text: newText }));
        events.send('done', { translation });
      } catch (error) {
        const { message } = answerTo(signal.aborted ? signal.reason : error);
        // Before the first event an error still has a status.
        if (!events.hasBegun) throw error;
        events.send('error', { error: message });
      }
      events.end();
      return reply;
    }),
  );
}

interface Writing {
  readonly service: Service;
  readonly chosen: Chosen;
  readonly options: SentenceOptions;
  readonly signal: AbortSignal;
}

/** `onText` gets the text that is new; all of it together is the text of the answer. */
async function writeText(text: string, writing: Writing, onText: (text: string) => void): Promise<StreamAnswer> {
  const { service, chosen, options, signal } = writing;
  const { model, direction, detected } = chosen;
  const { lead, sentences } = await service.split({ text, language: direction.source });
  const written: StreamAnswer['sentences'] = [];
  if (lead !== '') onText(lead);
  for (const { text: source, separator, hasWords } of sentences) {
    const translation = hasWords
      ? await model.stream(source, { direction, options, signal }, onText)
      : untouched(source).translations[0];
    if (!hasWords) onText(source);
    if (separator !== '') onText(separator);
    const shown = { alignment: false, attention: false };
    written.push({ source, separator, translations: [translationAnswerOf(translation, shown)] });
  }
  return {
    model: model.name,
    ...direction,
    ...(detected === undefined ? {} : { detectedLanguage: detected }),
    text: lead + written.map(({ translations: [{ text }], separator }) => text + separator).join(''),
    lead,
    sentences: written,
  };
}

/** The answer begins with its first event. */
class EventStream {
  private stream: PassThrough | undefined;

  constructor(private readonly reply: FastifyReply) {}

  get hasBegun(): boolean {
    return this.stream !== undefined;
  }

  send<Name extends keyof StreamEvents>(name: Name, data: StreamEvents[Name]): void {
    this.stream ??= this.begin();
    this.stream.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  end(): void {
    this.stream?.end();
  }

  private begin(): PassThrough {
    const stream = new PassThrough();
    // Proxies must pass each event on at once.
    this.reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no').type('text/event-stream');
    this.reply.send(stream);
    return stream;
  }
}
