import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstWord, HashedModel } from '../../test/hashed-model.ts';
import type { SearchEvent } from './events.ts';
import { emptyHypothesis, type Hypothesis, type HypothesisResult } from './hypothesis.ts';
import type { DecodeOptionsInput } from './options.ts';
import { search } from './search.ts';
import type { SentenceInput } from './sentence.ts';

interface Watched {
  readonly events: readonly (readonly SearchEvent[])[];
  readonly hypotheses: readonly (readonly HypothesisResult[])[];
}

async function watched(
  seeds: readonly number[],
  options: DecodeOptionsInput,
  input: Partial<SentenceInput> = {},
): Promise<Watched> {
  const model = new HashedModel({ words: 6, seeds });
  const sentences = seeds.map(() => ({ sourceLength: 3, ...input }));
  const events = seeds.map((): SearchEvent[] => []);
  const results = await search(model, sentences, options, { onEvent: (event, i) => events[i].push(event) });
  return { events, hypotheses: results.map(({ hypotheses }) => hypotheses) };
}

const ofKind = <K extends SearchEvent['kind']>(events: readonly SearchEvent[], kind: K) =>
  events.filter((event): event is Extract<SearchEvent, { kind: K }> => event.kind === kind);

const options = fc.oneof(
  fc.record({ beam: fc.integer({ min: 1, max: 4 }), maxLength: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ beam: fc.constant(3), nBest: fc.integer({ min: 1, max: 3 }), distinct: fc.boolean() }),
  fc.record({ beam: fc.constant(2), nBest: fc.constant(3), alternatives: fc.constant(true) }),
  fc.record({ nBest: fc.integer({ min: 1, max: 3 }), sampling: fc.record({ seed: fc.nat(9) }) }),
);
const seeds = fc.array(fc.nat(1000), { minLength: 1, maxLength: 3 });

describe('events of a search', () => {
  it('report every step from the empty hypothesis to the results', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, options, async (seeds, options) => {
        const { events, hypotheses } = await watched(seeds, options);
        for (const [i, reported] of events.entries()) {
          const known = new Set<Hypothesis>([emptyHypothesis]);
          const complete = new Set<HypothesisResult>();
          for (const event of reported) {
            if ('candidate' in event) expect(known).toContain(event.candidate.parent);
            if (event.kind === 'kept') known.add(event.hypothesis);
            if (event.kind === 'cut') expect(known).toContain(event.hypothesis);
            if (event.kind === 'ended' || event.kind === 'cut') complete.add(event.result);
          }
          expect(reported.at(-1)).toEqual({ kind: 'results', results: hypotheses[i] });
          for (const result of hypotheses[i]) expect(complete).toContain(result);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('do not depend on other sentences of the batch', async () => {
    const [alone, together] = await Promise.all([watched([5], { beam: 3 }), watched([8, 5, 1], { beam: 3 })]);
    const shape = (events: readonly SearchEvent[]) =>
      events.map((event) =>
        'candidate' in event ? [event.kind, event.candidate.token, event.candidate.total] : event.kind,
      );
    expect(shape(together.events[1])).toEqual(shape(alone.events[0]));
  });

  it('report each candidate of a beam once: kept, ended or pruned', async () => {
    const { events } = await watched([3], { beam: 3 });
    const candidates = events[0].flatMap((event) => ('candidate' in event ? [event.candidate] : []));
    expect(new Set(candidates).size).toBe(candidates.length);
    const first = candidates.filter(({ parent }) => parent === emptyHypothesis);
    expect(first).toHaveLength(4); // of one row: beam + 1
  });

  it.each<[string, DecodeOptionsInput, Partial<SentenceInput>, string]>([
    ['greedy search', { beam: 1 }, {}, 'end'],
    ['a beam', { beam: 3, lengthPenalty: 'none' }, {}, 'decided'],
    ['a beam at its maximal length', { beam: 3, maxLength: 2, minLength: 2 }, {}, 'length'],
    ['a beam with every word banned', { beam: 2, bannedTokens: [3, 4, 5, 6, 7, 8] }, {}, 'blocked'],
    [
      'greedy search with every word banned',
      { beam: 1, minLength: 1, bannedTokens: [3, 4, 5, 6, 7, 8] },
      {},
      'blocked',
    ],
    ['a beam of 1 with a forced phrase', { beam: 1 }, { forcedPhrases: [[firstWord]] }, 'end'],
  ])('report the rule that ended %s', async (_, options, input, rule) => {
    const { events } = await watched([2], options, input);
    expect(ofKind(events[0], 'stopped').map(({ reason }) => reason.rule)).toEqual([rule]);
  });

  it('report the numbers that decide a beam search', async () => {
    const { events, hypotheses } = await watched([2], { beam: 3, lengthPenalty: 'gnmt:0.6' });
    const [{ reason }] = ofKind(events[0], 'stopped');
    expect(reason.rule).toBe('decided');
    expect(reason.threshold).toBe(hypotheses[0][0].score);
    expect(reason.bestPossible).toBeLessThanOrEqual(hypotheses[0][0].score);
  });
});
