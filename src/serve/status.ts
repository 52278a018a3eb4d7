// Health and metrics, for monitoring.

import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { described } from './http/openapi.ts';
import type { Metrics } from './metrics.ts';

const healthAnswer = z.object({ status: z.literal('ok') });

export function addStatus(app: FastifyInstance, metrics: Metrics): void {
  const tags = ['Server'];
  app.get(
    '/health',
    { schema: described({ summary: 'Whether the server accepts requests', tags, answer: healthAnswer }) },
    async () => ({ status: 'ok' }),
  );
  app.get(
    '/metrics',
    { schema: described({ summary: 'Metrics for Prometheus', tags, produces: 'text/plain' }) },
    async (_, reply) => reply.type(metrics.contentType).send(await metrics.text()),
  );
}
