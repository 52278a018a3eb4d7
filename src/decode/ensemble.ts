// An ensemble decodes with the logarithm of the mean of the probabilities of several models.
import { HeedError } from '../base/error.ts';
import { bestEntries, checkLogProbabilities } from './scores.ts';
import type { StepModel, StepRequest, StepScores } from './step.ts';

/**
 * Combines models with the same vocabulary that are started on the same sentences. Attention is averaged if all record it.
 *
 * @throws HeedError for no model, or models that differ in their vocabulary; at a step, for NaN in any of them
 */
export function ensemble(models: readonly StepModel[]): StepModel {
  const [first] = models;
  if (first === undefined) throw new HeedError('ensemble', 'needs at least one model, got none.');
  const { vocabularySize, startId, endId, padId } = first;
  for (const field of ['vocabularySize', 'startId', 'endId', 'padId'] as const)
    for (const [i, model] of models.entries())
      if (model[field] !== first[field])
        throw new HeedError(
          'ensemble',
          `all models must have the same ${field}, got ${first[field]} in model 0 and ${model[field]} in model ${i}.`,
        );
  let position = 0;
  return { vocabularySize, startId, endId, padId, step };

  async function step(request: StepRequest): Promise<StepScores> {
    const answers = await Promise.all(models.map((model) => model.step({ ...request, top: undefined })));
    for (const { logProbabilities } of answers)
      checkLogProbabilities(logProbabilities, { position, columns: vocabularySize });
    position++;
    const logProbabilities = logMeanExp(answers.map((answer) => answer.logProbabilities));
    const attentions = answers.map((answer) => answer.attention).filter((attention) => attention !== undefined);
    const attention = attentions.length === models.length ? mean(attentions) : undefined;
    if (request.top === undefined) return { logProbabilities, tokens: undefined, attention };
    return { ...bestOfRows(logProbabilities, { columns: vocabularySize, top: request.top }), attention };
  }
}

/** log(mean(exp(values))), entry by entry, computed relative to the highest value to avoid underflow. */
function logMeanExp(members: readonly Float32Array[]): Float32Array {
  return members[0].map((_, i) => {
    const highest = members.reduce((max, values) => Math.max(max, values[i]), -Infinity);
    if (highest === -Infinity) return highest;
    return highest + Math.log(members.reduce((sum, values) => sum + Math.exp(values[i] - highest), 0) / members.length);
  });
}

function mean(members: readonly Float32Array[]): Float32Array {
  return members[0].map((_, i) => members.reduce((sum, values) => sum + values[i], 0) / members.length);
}

/** The `top` best of each row, as results of a step with `top`. */
function bestOfRows(logProbabilities: Float32Array, { columns, top }: { columns: number; top: number }) {
  const rows = logProbabilities.length / columns;
  const best = { logProbabilities: new Float32Array(rows * top).fill(-Infinity), tokens: new Int32Array(rows * top) };
  for (let row = 0; row < rows; row++) {
    const values = logProbabilities.subarray(row * columns, (row + 1) * columns);
    const entries = bestEntries({ tokens: undefined, logProbabilities: values, allowed: values }, top);
    best.logProbabilities.set(
      entries.map((entry) => values[entry]),
      row * top,
    );
    best.tokens.set(entries, row * top);
  }
  return best;
}
