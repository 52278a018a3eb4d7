// The options of the server. Each becomes a flag of heed serve.

import { z } from 'zod';

const count = (least: number) => z.int().min(least);

export const serveOptions = z.strictObject({
  host: z
    .string()
    .default('127.0.0.1')
    .describe('Address to listen on; 0.0.0.0 accepts connections from other machines.'),
  port: z.int().min(0).max(65_535).default(5000).describe('Port to listen on; 0 chooses a free one.'),
  workers: count(1)
    .optional()
    .describe('Worker threads of each model; each translates one batch at a time. Default: all cores.'),
  apiKeys: z
    .string()
    .optional()
    .describe(
      'File of API keys, with KEY or KEY REQUESTS-PER-MINUTE on each line; translating then requires one of them.',
    ),
  requestsPerMinute: count(0).default(0).describe('Most requests a minute from one address or key; 0 is no limit.'),
  trustProxy: z
    .boolean()
    .default(false)
    .describe('Whether X-Forwarded-For identifies the clients; only behind a proxy that sets it.'),
  maxCharacters: count(1).default(50_000).describe('Most characters of a request, all texts together.'),
  maxTexts: count(1).default(128).describe('Most texts of a request.'),
  maxAlternatives: count(0).default(8).describe('Most alternative translations of a text.'),
  maxBeam: count(1).default(16).describe('Widest beam that a request may have.'),
  maxInspectedPieces: count(1)
    .default(256)
    .describe('Most pieces (subwords) of a sentence, and of its translation, that can be inspected.'),
  maxRequests: count(1).default(256).describe('Most requests under way or waiting at once; others are answered 503.'),
  timeoutMs: count(1).default(120_000).describe('Timeout of a request in milliseconds; it is answered 504.'),
  batchTokens: count(1)
    .default(1024)
    .describe('Approximate tokens of a batch, which may combine sentences of several requests.'),
  batchWaitMs: count(0)
    .default(4)
    .describe('Milliseconds that an idle worker waits for more requests before it begins a batch.'),
  logLevel: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'])
    .default('warn')
    .describe('What is logged to standard error, as lines of JSON; info logs each request, but never its text.'),
});

export type ServeOptions = z.output<typeof serveOptions>;
