// heed's own interface, /v1: translations with every decoding result.

import type { FastifyInstance } from 'fastify';
import { described } from '../http/openapi.ts';
import { checked, checkSize, wellFormed } from '../http/validation.ts';
import type { InterfaceSetup } from '../interface.ts';
import { chooseModel } from '../models/choose-model.ts';
import type { ServedModel } from '../models/served-model.ts';
import { sentenceOptions, translateAnswerJson } from './answers.ts';
import { addInspect } from './inspect.ts';
import { type ModelsAnswer, modelsAnswer, translateAnswer, translateRequest } from './schemas.ts';
import { addStream } from './stream.ts';

export function addV1(app: FastifyInstance, setup: InterfaceSetup): void {
  const { service, guard, options } = setup;
  const body = translateRequest(options);
  const tags = ['heed'];

  app.post(
    '/v1/translate',
    guard.limited({
      schema: described({
        summary: 'Translate texts, with scores, n-best lists, alignment and attention',
        tags,
        body,
        answer: translateAnswer,
        isWork: true,
      }),
    }),
    guard.admitted(async (request, signal, reply) => {
      const fields = checked(body, request.body);
      const texts = [fields.text].flat().map(wellFormed);
      checkSize(texts, options);
      const chosen = await chooseModel(service, fields, texts);
      const { model, direction } = chosen;
      const translated = await service.translateTexts(texts, model, {
        direction,
        options: sentenceOptions(fields),
        split: fields.split,
        signal,
      });
      reply.type('application/json; charset=utf-8');
      return translateAnswerJson(translated, chosen, fields);
    }),
  );

  addStream(app, setup);
  addInspect(app, setup);

  app.get(
    '/v1/models',
    { schema: described({ summary: 'The models of this server', tags, answer: modelsAnswer }) },
    async () => ({ models: service.models.all.map(modelAnswerOf) }),
  );
}

function modelAnswerOf({ name, directions, facts }: ServedModel): ModelsAnswer['models'][number] {
  const { parameters, arithmetic, config, generation } = facts;
  return { name, directions: [...directions], parameters, arithmetic, config: { ...config }, generation };
}
