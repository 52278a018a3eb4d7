// What the server's operator can set: each option is declared here, and a flag of heed serve.

import { z } from 'zod';

const count = (least: number) => z.int().min(least);

export const serveOptions = z.strictObject({
  host: z.string().default('127.0.0.1').describe('Address to listen on; 0.0.0.0 lets other machines in.'),
  port: z.int().min(0).max(65_535).default(5000).describe('Port to listen on; 0 takes a free one.'),
  workers: count(1)
    .optional()
    .describe('Threads of each model, each translating a batch of its own; default: all cores.'),
  apiKeys: z
    .string()
    .optional()
    .describe('File of API keys, KEY or KEY REQUESTS-PER-MINUTE a line; with it, translating needs one of them.'),
  requestsPerMinute: count(0).default(0).describe('Most requests a minute of one address or key; 0 is no limit.'),
  trustProxy: z
    .boolean()
    .default(false)
    .describe('Whether clients are told apart by X-Forwarded-For; only behind a proxy that sets it.'),
  maxCharacters: count(1).default(50_000).describe('Most characters of a request, all its texts together.'),
  maxTexts: count(1).default(128).describe('Most texts of a request.'),
  maxAlternatives: count(0).default(8).describe('Most alternative translations of a text.'),
  maxBeam: count(1).default(16).describe('Widest beam that a request can ask for.'),
  maxInspectedPieces: count(1)
    .default(256)
    .describe('Most pieces of a sentence, and of its translation, whose whole trace can be asked for.'),
  maxRequests: count(1).default(256).describe('Most requests at work or waiting at once; more are answered 503.'),
  timeoutMs: count(1).default(120_000).describe('Most milliseconds of a request; longer ones are answered 504.'),
  batchTokens: count(1)
    .default(1024)
    .describe('Tokens, about, that a worker translates together, from whichever requests they come.'),
  batchWaitMs: count(0)
    .default(4)
    .describe('Milliseconds that an idle worker waits for more requests to join a batch.'),
  logLevel: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'])
    .default('warn')
    .describe('What is logged on standard error, as lines of JSON; info logs each request, never its text.'),
});

export type ServeOptions = z.output<typeof serveOptions>;
