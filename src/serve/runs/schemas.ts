// The answers of /v1/runs and the routes below it, and the messages of the event stream.

import { z } from 'zod';
import { speedRecord, stepEvent, stopEvent, trainingEvent, validationEvent } from '../../train/index.ts';

const runState = z
  .enum(['preparing', 'running', 'stopping', 'stopped', 'finished'])
  .describe(
    'preparing: it reads text and has done no step yet; running; stopping: it was asked to save and stop, and will after ' +
      'the current batch; stopped: it can be resumed; finished: it has completed.',
  );

const runSummary = z.object({
  name: z.string().describe('Name of its folder; unique on this server.'),
  state: runState,
  recipe: z
    .record(z.string(), z.unknown())
    .describe('The options that it was started with, by their names in a configuration file; no paths.'),
  latest: z
    .object({
      step: stepEvent.optional(),
      validation: validationEvent.optional(),
      stop: stopEvent.optional(),
      speed: speedRecord.optional(),
    })
    .describe('The last event of each kind.'),
  mayStop: z.boolean().describe('Whether clients may stop it.'),
});

export const runList = z.object({ runs: z.array(runSummary) });

export const runEvents = z.object({
  state: runState,
  events: z
    .array(trainingEvent)
    .describe('All events so far, in order; the same for a resumed run as for one never stopped.'),
  speeds: z
    .array(speedRecord)
    .describe('Its speed over time: a step that was repeated after a resumption has two records.'),
});

/** The live stream: server-sent events by these names, each with one of these as its JSON data. */
export const runMessages = {
  state: z.object({ state: runState }).describe('The state of the run: at the beginning, and whenever it changes.'),
  reset: z
    .object({})
    .describe('The log begins, or begins anew: discard all events and speeds of this run. All of them follow.'),
  training: trainingEvent,
  speed: speedRecord,
};

export const stopAnswer = z.object({ state: z.literal('stopping') });

export type RunState = z.output<typeof runState>;
export type RunSummary = z.output<typeof runSummary>;
export type RunList = z.output<typeof runList>;
export type RunEvents = z.output<typeof runEvents>;
export type RunMessage = { [Name in keyof typeof runMessages]: z.output<(typeof runMessages)[Name]> };
