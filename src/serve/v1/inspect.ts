// POST /v1/inspect: everything that the model computes for one sentence, as the trace that docs/trace.md describes.

import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { described } from '../http/openapi.ts';
import { checked, checkSize, wellFormed } from '../http/validation.ts';
import type { InterfaceSetup } from '../interface.ts';
import { chooseModel } from '../models/choose-model.ts';
import { sentenceOptions } from './answers.ts';
import { inspectRequest } from './schemas.ts';

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

export function addInspect(app: FastifyInstance, { service, guard, options }: InterfaceSetup): void {
  const body = inspectRequest(options);
  const schema = described({
    summary: 'Inspect a translation: tokens, probabilities, attention of every head, intermediate results, the search',
    tags: ['heed'],
    body,
    answer: traceAnswer,
    isWork: true,
  });
  app.post(
    '/v1/inspect',
    guard.limited({ schema }),
    guard.admitted(async (request, signal, reply) => {
      const fields = checked(body, request.body);
      const text = wellFormed(fields.text);
      const translation = fields.translation === undefined ? undefined : wellFormed(fields.translation);
      checkSize([text, translation ?? ''], options);
      const { model, direction } = await chooseModel(service, fields, [text]);
      const { tensors, search, candidates, arrays } = fields;
      const traceOptions = { ...sentenceOptions(fields), translation, tensors, search, candidates, arrays };
      const json = await model.traceJson(text, {
        direction,
        options: traceOptions,
        signal,
        maxPieces: options.maxInspectedPieces,
      });
      // The worker wrote the JSON: writing a long trace here would block the other requests.
      reply.type('application/json; charset=utf-8');
      return reply.send(Buffer.from(json.buffer, json.byteOffset, json.byteLength));
    }),
  );
}
