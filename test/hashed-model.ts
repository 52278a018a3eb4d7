// A step model for tests of decoding: the next token's distribution is a hash of the sentence and of the whole output so
// far, which it recovers by following `parents`. So a wrong re-ordering, or a row of another sentence, changes the
// result; and it refuses requests that break the contract.
import { Random } from '../src/base/random.ts';
import type { StepModel, StepRequest, StepScores } from '../src/decode/index.ts';

export const padId = 0;
export const startId = 1;
export const endId = 2;
/** The first id that is a word. */
export const firstWord = 3;

export interface HashedModelOptions {
  /** Words beside padding, START and END. */
  readonly words: number;
  /** One for each sentence of the batch: what its distributions are hashed from. */
  readonly seeds: readonly number[];
  /** With it, attention is recorded: source positions of each sentence. */
  readonly sourceLengths?: readonly number[];
  /** Added to END's logit: below 0 makes long outputs. Default 0. */
  readonly endBias?: number;
  /** Rounds logits to whole numbers, so that many tokens are equally probable. Default false. */
  readonly hasTies?: boolean;
}

export class HashedModel implements StepModel {
  readonly vocabularySize: number;
  readonly startId = startId;
  readonly endId = endId;
  readonly padId = padId;
  readonly requests: StepRequest[] = [];
  private histories: number[][] = [];

  constructor(readonly options: HashedModelOptions) {
    this.vocabularySize = firstWord + options.words;
  }

  /** Log-probabilities of the token after `history` in sentence `sentence`. Padding and START are probable. */
  distribution(sentence: number, history: readonly number[]): Float32Array {
    const { seeds, endBias = 0, hasTies = false } = this.options;
    const random = Random.of(seeds[sentence], 'next', ...history);
    const logits = Array.from({ length: this.vocabularySize }, (_, token) => {
      const logit = 2 * random.normal();
      if (token === endId) return logit + endBias;
      return token < firstWord ? logit + 2 : logit;
    }).map((logit) => (hasTies ? Math.round(logit / 2) : logit));
    const logSum = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0));
    return Float32Array.from(logits, (logit) => logit - logSum);
  }

  /** Attention of the position after `history`, padded to the longest source of the batch. */
  attention(sentence: number, history: readonly number[]): number[] {
    const { seeds, sourceLengths = [] } = this.options;
    const random = Random.of(seeds[sentence], 'attention', ...history);
    const weights = Array.from({ length: sourceLengths[sentence] }, () => random.uniform());
    const sum = weights.reduce((a, b) => a + b, 0);
    return Array.from({ length: Math.max(...sourceLengths) }, (_, j) => (weights[j] ?? 0) / sum);
  }

  async step(request: StepRequest): Promise<StepScores> {
    const { sentences, width, tokens, parents, top } = request;
    this.checkContract(request);
    const sentenceOf = (row: number): number => sentences[Math.floor(row / width)];
    const isFirst = this.requests.length === 0;
    this.histories = Array.from(tokens, (token, row) => (isFirst ? [] : [...this.histories[parents[row]], token]));
    this.requests.push(request);
    const rows = this.histories.map((history, row) => [...this.distribution(sentenceOf(row), history)]);
    const order = rows.map((row) => [...row.keys()].sort((a, b) => row[b] - row[a] || a - b).slice(0, top));
    const attention =
      this.options.sourceLengths && this.histories.flatMap((h, row) => this.attention(sentenceOf(row), h));
    return {
      logProbabilities: Float32Array.from(
        top === undefined ? rows.flat() : order.flatMap((o, row) => o.map((i) => rows[row][i])),
      ),
      tokens: top === undefined ? undefined : Int32Array.from(order.flat()),
      attention: attention && Float32Array.from(attention),
    };
  }

  private checkContract({ sentences, width, tokens, parents, top }: StepRequest): void {
    const previous = this.requests.at(-1);
    const rows = sentences.length * width;
    assert(sentences.length > 0 && tokens.length === rows && parents.length === rows, 'array lengths');
    assert(top === undefined || (top >= 1 && top < this.vocabularySize), `top ${top}`);
    assert(
      sentences.every((sentence, i) => i === 0 || sentences[i - 1] < sentence),
      'sentences must ascend',
    );
    if (previous === undefined) {
      assert(
        tokens.every((token) => token === startId),
        'the first step starts from START',
      );
      return;
    }
    assert(width === previous.width, 'width changed');
    assert(
      sentences.every((sentence) => previous.sentences.includes(sentence)),
      'a sentence came back',
    );
    for (let row = 0; row < rows; row++) {
      const parentSentence = previous.sentences[Math.floor(parents[row] / width)];
      assert(parentSentence === sentences[Math.floor(row / width)], `row ${row} continues another sentence`);
      assert(tokens[row] >= firstWord, `row ${row} wrote the control token ${tokens[row]}`);
    }
  }
}

function assert(condition: boolean, message: string): void {
  if (!condition) throw new Error(`step request: ${message}`);
}

/** One complete output, found by trying them all. */
export interface Output {
  readonly tokens: readonly number[];
  readonly logProbabilities: readonly number[];
  readonly reason: 'end' | 'length';
}

/** Every output of a sentence: those that END ends before `maxLength` positions are full, and those cut there. */
export function everyOutput(model: HashedModel, sentence: number, maxLength: number): Output[] {
  const outputs: Output[] = [];
  visit([], []);
  return outputs;

  function visit(tokens: readonly number[], logProbabilities: readonly number[]): void {
    if (tokens.length === maxLength) {
      outputs.push({ tokens, logProbabilities, reason: 'length' });
      return;
    }
    const distribution = model.distribution(sentence, tokens);
    outputs.push({ tokens, logProbabilities: [...logProbabilities, distribution[endId]], reason: 'end' });
    for (let token = firstWord; token < model.vocabularySize; token++)
      visit([...tokens, token], [...logProbabilities, distribution[token]]);
  }
}
