// Builds the tree of a search from its events.

import {
  type DecodeOptions,
  type Hypothesis,
  type HypothesisResult,
  lengthPenalty,
  type SearchEvent,
} from '../../decode/index.ts';
import type { Tokenizer } from '../../text/index.ts';
import type { SearchNode, SearchTrace } from './format.ts';
import { traceTokens } from './tokens.ts';

/** A node whose status is not final yet. */
type OpenNode = { -readonly [K in keyof SearchNode]: SearchNode[K] };

/** Records the events of one sentence's search. */
export class SearchRecorder {
  private readonly nodes: OpenNode[] = [];
  private readonly nodeOf = new Map<Hypothesis | HypothesisResult, OpenNode>();
  private stop: SearchTrace['stop'] = { rule: 'blocked' };
  private results: readonly HypothesisResult[] = [];

  constructor(
    private readonly decoding: DecodeOptions,
    private readonly tokenizer: Tokenizer,
  ) {
    const [token] = traceTokens([tokenizer.startId], tokenizer);
    const empty = { logProbability: 0, total: 0, length: 0, divisor: 1, score: 0 };
    this.nodes.push({ id: 0, position: -1, token, ...empty, status: 'live', winning: false });
  }

  readonly listen = (event: SearchEvent): void => {
    switch (event.kind) {
      case 'kept':
        this.nodeOf.set(event.hypothesis, this.grow(event.candidate, 'live'));
        break;
      case 'pruned':
        this.grow(event.candidate, 'pruned');
        break;
      case 'ended':
        this.complete(this.grow(event.candidate, 'finished'), event.result);
        break;
      case 'cut':
        this.complete(this.at(event.hypothesis), event.result);
        break;
      case 'stopped':
        this.stop = event.reason;
        break;
      case 'results':
        this.results = event.results;
        break;
    }
  };

  /** The tree; call it after the search. */
  trace(): SearchTrace {
    const results = this.results.map((result) => this.at(result).id);
    for (let id: number | undefined = results[0]; id !== undefined; id = this.nodes[id].parent)
      this.nodes[id].winning = true;
    const { beam, lengthPenalty, coveragePenalty } = this.decoding;
    return { beam, lengthPenalty, coveragePenalty, nodes: this.nodes, results, stop: this.stop };
  }

  private grow(candidate: Extract<SearchEvent, { kind: 'kept' }>['candidate'], status: SearchNode['status']): OpenNode {
    const { parent, token, logProbability, total } = candidate;
    const length = parent.tokens.length + 1;
    const divisor = lengthPenalty(this.decoding.lengthPenalty, length);
    const node: OpenNode = {
      id: this.nodes.length,
      parent: this.at(parent).id,
      position: length - 1,
      token: traceTokens([token], this.tokenizer)[0],
      logProbability,
      total,
      length,
      divisor,
      score: total / divisor,
      status,
      winning: false,
    };
    this.nodes.push(node);
    return node;
  }

  private complete(node: OpenNode, result: HypothesisResult): void {
    node.status = 'finished';
    node.reason = result.reason;
    node.score = result.score;
    this.nodeOf.set(result, node);
  }

  /** All hypotheses except the empty one were kept before. */
  private at(hypothesis: Hypothesis | HypothesisResult): OpenNode {
    return this.nodeOf.get(hypothesis) ?? this.nodes[0];
  }
}
