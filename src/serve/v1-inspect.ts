// Everything the model computes for one sentence: the trace that docs/trace.md describes.

import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { chooseModel } from './chosen.ts';
import type { InterfaceSetup } from './interface.ts';
import { described } from './openapi.ts';
import { sentenceOptions } from './v1-answers.ts';
import { inspectRequest } from './v1-schemas.ts';
import { checked, checkSize, wellFormed } from './validation.ts';

/** Its parts are described in docs/trace.md. */
const traceAnswer = z.looseObject({
  format: z.literal('heed-trace'),
  version: z.literal(1),
  model: z.looseObject({}),
  source: z.looseObject({}),
  target: z.looseObject({}),
  attention: z.looseObject({}),
  tensors: z.array(z.looseObject({})).optional(),
  search: z.looseObject({}).optional(),
});

export function addInspect(app: FastifyInstance, { service, gate, options }: InterfaceSetup): void {
  const body = inspectRequest(options);
  const schema = described({
    summary: 'Look inside: tokens, probabilities, attention of every head, intermediate results, the search',
    ...{ tags: ['heed'], body, answer: traceAnswer, isWork: true },
  });
  app.post(
    '/v1/inspect',
    gate.guarded({ schema }),
    gate.working(async (request, signal, reply) => {
      const wishes = checked(body, request.body);
      const text = wellFormed(wishes.text);
      const translation = wishes.translation === undefined ? undefined : wellFormed(wishes.translation);
      checkSize([text, translation ?? ''], options);
      const { model, direction } = await chooseModel(service, wishes, [text]);
      const { tensors, search, candidates, arrays } = wishes;
      const looking = { ...sentenceOptions(wishes), translation, tensors, search, candidates, arrays };
      const json = await model.traceJson(text, {
        ...{ direction, options: looking, signal },
        maxPieces: options.maxInspectedPieces,
      });
      // Written by the worker: a long trace would keep this thread from answering others.
      reply.type('application/json; charset=utf-8');
      return reply.send(Buffer.from(json.buffer, json.byteOffset, json.byteLength));
    }),
  );
}
