// The events of a run: plain records, one per line in events.jsonl, which the page's training view draws. They contain no time
// of day and no speed, so that a resumed run writes the same lines as one that was never stopped.

import { z } from 'zod';

const step = z.int().min(0).describe('Updates of the weights done.');
const epoch = z.int().min(1).describe('Pass over the corpus, from 1.');

export const stepEvent = z.object({
  kind: z.literal('step'),
  step,
  epoch,
  loss: z.number().describe('Mean per target token since the last step event, with label smoothing.'),
  negativeLogLikelihood: z.number().describe('The same without label smoothing: the logarithm of the perplexity.'),
  learningRate: z.number().describe('Of this update.'),
  gradientNorm: z
    .number()
    .optional()
    .describe('Euclidean norm of the gradient of this update’s mean loss, before clipping; old logs lack it.'),
  targetTokens: z.int().describe('Target tokens since the last step event.'),
});

const epochEvent = z.object({
  kind: z.literal('epoch'),
  step,
  epoch,
  negativeLogLikelihood: z.number().describe('Mean −log p per target token over the epoch, with dropout.'),
});

const translationSample = z.object({
  source: z.string(),
  reference: z.string(),
  translation: z.string().describe('The model’s translation, by greedy search.'),
});

export const validationEvent = z.object({
  kind: z.literal('validation'),
  step,
  epoch,
  loss: z.number().describe('Mean smoothed loss per target token.'),
  perplexity: z.number(),
  accuracy: z.number().describe('Share of target tokens that are the model’s first choice.'),
  bleu: z.number().optional().describe('Score of greedy translations, if requested.'),
  signature: z.string().optional().describe('How that score is computed, as sacreBLEU writes it.'),
  samples: z
    .array(translationSample)
    .optional()
    .describe('Translations of the first validation sentences, if requested.'),
  best: z.boolean().describe('Whether it is the best so far.'),
});

export const stopEvent = z.object({
  kind: z.literal('stop'),
  step,
  epoch,
  reason: z.enum(['finished', 'patience']).describe('finished: all epochs or steps; patience: no improvement.'),
});

export const trainingEvent = z.discriminatedUnion('kind', [stepEvent, epochEvent, validationEvent, stopEvent]);

export type StepEvent = Readonly<z.output<typeof stepEvent>>;
export type EpochEvent = Readonly<z.output<typeof epochEvent>>;
export type ValidationEvent = Readonly<z.output<typeof validationEvent>>;
export type StopEvent = Readonly<z.output<typeof stopEvent>>;
export type TranslationSample = Readonly<z.output<typeof translationSample>>;
export type StopReason = StopEvent['reason'];
export type TrainingEvent = StepEvent | EpochEvent | ValidationEvent | StopEvent;

/** A line of training/speed.jsonl, written at each step event. Times differ between a resumed run and one that was never stopped. */
export const speedRecord = z.object({
  kind: z.literal('speed'),
  step,
  time: z.iso.datetime().describe('When the update was done, in UTC.'),
  targetTokensPerSecond: z.number().describe('Over the last updates.'),
});

export type SpeedRecord = Readonly<z.output<typeof speedRecord>>;
