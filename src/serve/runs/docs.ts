// What the OpenAPI document says of /v1/runs.

import { described } from '../http/openapi.ts';
import { errorAnswer } from '../libretranslate/schemas.ts';
import { runEvents, runList, runMessages, stopAnswer } from './schemas.ts';

const tags = ['Training'];

/** Where the server asks for keys. */
const keyAnswers = { 400: errorAnswer, 403: errorAnswer };

const messages = Object.entries(runMessages).map(
  ([name, schema]) => `- \`${name}\`: ${schema.description ?? 'a record, as in the answer without a stream.'}`,
);

const eventsDescription = `
To whoever accepts text/event-stream, or asks with ?follow, the same as it happens: server-sent events by these names, each with
JSON as its data. The stream goes on when the run has ended, since it may be resumed.

${messages.join('\n')}`.trim();

export const listDocs = described({
  summary: 'The training runs of this server, and how they stand',
  tags,
  answer: runList,
  answers: keyAnswers,
});

export const eventsDocs = {
  ...described({
    summary: 'All that a run has told so far, or its live stream',
    description: eventsDescription,
    tags,
    answer: runEvents,
    answers: { ...keyAnswers, 404: errorAnswer },
  }),
  querystring: {
    type: 'object',
    properties: { follow: { type: 'string', description: 'Asks for the stream; may be empty.' } },
  },
};

export const stopDocs = described({
  summary: 'Ask a run to save and stop, as Ctrl-C does',
  description:
    'It stops after the batch under way, and can be resumed. The answer comes at once; the stream tells when.',
  tags,
  answer: stopAnswer,
  answers: { ...keyAnswers, 404: errorAnswer, 409: errorAnswer },
});
