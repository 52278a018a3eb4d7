// A translation as it is written, as server-sent events: `token` with what is new of the text, then `done` with the whole
// translation, or `error`. Sentences are written one after the other.

import { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Chosen, chooseModel } from './chosen.ts';
import { answerTo } from './errors.ts';
import type { InterfaceSetup } from './interface.ts';
import { described } from './openapi.ts';
import type { SentenceOptions } from './served-model.ts';
import { copied, type Service } from './service.ts';
import { sentenceOptions, translationAnswerOf } from './v1-answers.ts';
import { type StreamAnswer, type StreamEvents, streamEvent, streamRequest } from './v1-schemas.ts';
import { checked, checkSize, wellFormed } from './validation.ts';

const description = `
The events are \`token\` with \`{"text": …}\`, what is new of the text; then \`done\` with \`{"translation": …}\`, the text with all that
/v1/translate tells of it; or \`error\` with \`{"error": …}\`. The search is greedy, or sampling, since a beam revises its words.`.trim();

export function addStream(app: FastifyInstance, { service, gate, options }: InterfaceSetup): void {
  const body = streamRequest(options);
  const schema = described({
    summary: 'Translate a text and watch it being written',
    description,
    ...{ tags: ['heed'], body, produces: 'text/event-stream', answer: streamEvent, isWork: true },
  });
  app.post(
    '/v1/translate/stream',
    gate.guarded({ schema }),
    gate.working(async (request, signal, reply) => {
      const wishes = checked(body, request.body);
      const text = wellFormed(wishes.text);
      checkSize([text], options);
      const chosen = await chooseModel(service, wishes, [text]);
      const events = new EventStream(reply);
      try {
        const writing = { service, chosen, options: sentenceOptions(wishes), signal };
        const translation = await writeText(text, writing, (part) => events.say('token', { text: part }));
        events.say('done', { translation });
      } catch (error) {
        const { message } = answerTo(signal.aborted ? signal.reason : error);
        // Before the first event an error still has a status.
        if (!events.hasBegun) throw error;
        events.say('error', { error: message });
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

/** All parts that `say` hears together are the text of the answer. */
async function writeText(text: string, writing: Writing, say: (text: string) => void): Promise<StreamAnswer> {
  const { service, chosen, options, signal } = writing;
  const { model, direction, detected } = chosen;
  const { lead, sentences } = await service.split(text, direction.source);
  const written: StreamAnswer['sentences'] = [];
  if (lead !== '') say(lead);
  for (const { text: source, separator, hasWords } of sentences) {
    const translation = hasWords
      ? await model.stream(source, { direction, options, signal }, say)
      : copied(source).translations[0];
    if (!hasWords) say(source);
    if (separator !== '') say(separator);
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

  say<Name extends keyof StreamEvents>(name: Name, data: StreamEvents[Name]): void {
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
