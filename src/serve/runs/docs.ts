// The OpenAPI documentation of /v1/runs.

import { described } from '../http/openapi.ts';
import { errorAnswer } from '../libretranslate/schemas.ts';
import { runEvents, runList, runMessages, stopAnswer } from './schemas.ts';

const tags = ['Training'];

/** If the server requires API keys. */
const keyAnswers = { 400: errorAnswer, 403: errorAnswer };

const messages = Object.entries(runMessages).map(
  ([name, schema]) => `- \`${name}\`: ${schema.description ?? 'a record, as in the answer without a stream.'}`,
);

const eventsDescription = `
With the header \`Accept: text/event-stream\`, or with ?follow, the answer is a live stream of server-sent events with these names,
each with JSON as its data. The stream continues after the run has ended, since it may be resumed.

${messages.join('\n')}`.trim();

export const listDocs = described({
  summary: 'List the training runs of this server with their state',
  tags,
  answer: runList,
  answers: keyAnswers,
});

export const eventsDocs = {
  ...described({
    summary: 'The events of a run so far, or its live stream',
    description: eventsDescription,
    tags,
    answer: runEvents,
    answers: { ...keyAnswers, 404: errorAnswer },
  }),
  querystring: {
    type: 'object',
    properties: { follow: { type: 'string', description: 'Requests the stream; may be empty.' } },
  },
};

export const stopDocs = described({
  summary: 'Ask a run to save and stop, as Ctrl-C does',
  description:
    'The run stops after the current batch, and can be resumed. The answer does not wait for that; the event stream reports it.',
  tags,
  answer: stopAnswer,
  answers: { ...keyAnswers, 404: errorAnswer, 409: errorAnswer },
});
