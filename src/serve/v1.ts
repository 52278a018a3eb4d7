// heed's own interface: all that decoding knows of a translation.

import type { FastifyInstance } from 'fastify';
import { chooseModel } from './chosen.ts';
import type { InterfaceSetup } from './interface.ts';
import { described } from './openapi.ts';
import type { ServedModel } from './served-model.ts';
import { sentenceOptions, translateAnswerJson } from './v1-answers.ts';
import { addInspect } from './v1-inspect.ts';
import { type ModelsAnswer, modelsAnswer, translateAnswer, translateRequest } from './v1-schemas.ts';
import { addStream } from './v1-stream.ts';
import { checked, checkSize, wellFormed } from './validation.ts';

const tags = ['heed'];

export function addV1(app: FastifyInstance, setup: InterfaceSetup): void {
  const { service, gate, options } = setup;
  const body = translateRequest(options);

  app.post(
    '/v1/translate',
    gate.guarded({
      schema: described({
        summary: 'Translate texts, with scores, n-best lists, alignment and attention',
        ...{ tags, body, answer: translateAnswer, isWork: true },
      }),
    }),
    gate.working(async (request, signal, reply) => {
      const wishes = checked(body, request.body);
      const texts = [wishes.text].flat().map(wellFormed);
      checkSize(texts, options);
      const chosen = await chooseModel(service, wishes, texts);
      const asked = { direction: chosen.direction, options: sentenceOptions(wishes), split: wishes.split, signal };
      reply.type('application/json; charset=utf-8');
      return translateAnswerJson(await service.translateTexts(texts, chosen.model, asked), chosen, wishes);
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
