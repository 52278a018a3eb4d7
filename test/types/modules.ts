// What the modules that are libraries by themselves promise TypeScript.

import { type SentenceResult, type StepModel, type StepRequest, type StepScores, search } from 'heed/decode';
import { type BleuScore, bleuMetric, corpusBleu, formatScore, type Metric } from 'heed/metrics';
import { Linear, type MultiHeadAttention, Scope, type StateSpec } from 'heed/nn';
import { evaluate, gradients, input, matmul, type Shape, sum, type Tensor, type Value } from 'heed/tensor';
import { learnTokenizer, readLines, splitLines, type Tokenizer } from 'heed/text';
import { exactly } from './exactly.ts';

export function tensors() {
  const x = input('x', 'float32', ['batch', 4]);
  exactly<Tensor>()(x);
  exactly<Shape>()(x.shape);
  exactly<Tensor>()(sum(matmul(x, x), { axes: [0, 1] }));
  exactly<Value[]>()(evaluate([x], new Map()));
  exactly<ReturnType<typeof gradients>>()(gradients(x, [x]));
}

export function layers(states: readonly StateSpec[], x: Tensor) {
  const scope = new Scope('encoder');
  exactly<Tensor>()(new Linear(scope, { from: 4, to: 2, bias: false }).apply(x));
  exactly<ConstructorParameters<typeof MultiHeadAttention>[0]>()(scope);
  exactly<'fixed' | 'append' | 'replace'>()(states[0].kind);
}

export async function searches(step: (request: StepRequest) => Promise<StepScores>) {
  const model: StepModel = { vocabularySize: 9, startId: 1, endId: 2, padId: 0, step };
  const results = await search(model, [{ sourceLength: 3 }], { beam: 4 });
  exactly<SentenceResult[]>()(results);
  exactly<number>()(results[0].hypotheses[0].score);
}

export function scores() {
  const score = corpusBleu(['a b'], [['a b']]);
  exactly<BleuScore>()(score);
  exactly<string>()(formatScore(score));
  exactly<Metric<BleuScore>>()(bleuMetric());
}

export function texts(bytes: AsyncIterable<Uint8Array>) {
  const tokenizer = learnTokenizer(['a b'], { merges: 10 });
  exactly<Tokenizer>()(tokenizer);
  exactly<string>()(tokenizer.decode(tokenizer.encode('a b')));
  exactly<string[]>()(splitLines('a\nb'));
  exactly<AsyncGenerator<string>>()(readLines(bytes));
}
