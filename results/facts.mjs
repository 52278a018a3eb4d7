// What a model folder says about its training: size, recipe, learning curve, time.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { cpus } from 'node:os';
import { version } from '../dist/cli/version.js';
import { loadModel } from '../dist/model/node.js';

/** Facts of a trained model for docs/results.md. */
export async function factsOf(folder) {
  const { parameters, training } = await loadModel(folder);
  const events = readFileSync(`${folder}/training/events.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { step: updates, epoch: epochs } = events.findLast(({ kind }) => kind === 'validation' || kind === 'epoch');
  return {
    heedVersion: version,
    parameters: parameters.size,
    seed: training.seed,
    epochs,
    updates,
    seconds: secondsOf(`${folder}/training`),
    machine: `${training.threads ?? cpus().length} of ${cpus().length} cores (${cpus()[0].model.trim()})`,
    curve: curveOf(events),
  };
}

/** Wall-clock time from the encoded corpus, or from the start of a run without one, to the last event; pauses count. */
function secondsOf(folder) {
  const cache = readdirSync(folder).find((name) => name.startsWith('cache-'));
  const began = cache === undefined ? statSync(folder).birthtimeMs : statSync(`${folder}/${cache}/cache.json`).mtimeMs;
  return Math.round((statSync(`${folder}/events.jsonl`).mtimeMs - began) / 1000);
}

/** A row per epoch; for a run that is not validated at the end of any epoch, a row per validation. */
function curveOf(events) {
  const atEpochs = validationsAt('epoch', events);
  return atEpochs.length > 0 ? atEpochs : validationsAt('step', events);
}

/** The training loss that an event of a kind tells, and what was measured on the validation text at the same update. */
function validationsAt(kind, events) {
  const losses = new Map(events.filter((event) => event.kind === kind).map((event) => [event.step, event]));
  const validations = events.filter(({ kind, step }) => kind === 'validation' && losses.has(step));
  return validations.map(({ epoch, step, perplexity, accuracy, bleu }) => {
    const { negativeLogLikelihood } = losses.get(step);
    return { epoch, updates: step, negativeLogLikelihood, perplexity, accuracy, bleu };
  });
}
