// The tree of a search against what the search returns, on small random models.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lengthPenalty } from '../src/decode/index.ts';
import { compile } from '../src/runtime/node/index.ts';
import { Glossary, type SearchNode, type SearchTrace, type TraceOptions, Translator } from '../src/translate/index.ts';
import { wordyLines, wordyModel } from './wordy-model.ts';

const models = [1, 2, 3].map((seed) => new Translator(wordyModel({ seed }), { compile, threads: 1 }));
const [first] = models;
const endId = 2;

async function searchOf(text: string, options: TraceOptions = {}, by = first): Promise<SearchTrace> {
  const { search } = await by.trace(text, { ...options, search: true });
  if (search === undefined) throw new Error('the trace has no search');
  return search;
}

/** From the root to a node, the root left out. */
function pathTo(nodes: readonly SearchNode[], id: number): SearchNode[] {
  const path: SearchNode[] = [];
  for (let node = nodes[id]; node.parent !== undefined; node = nodes[node.parent]) path.unshift(node);
  return path;
}

const idsOf = (nodes: readonly SearchNode[]) => nodes.map(({ token }) => token.id).filter((id) => id !== endId);

const searches: fc.Arbitrary<TraceOptions> = fc.oneof(
  fc.record({
    beam: fc.integer({ min: 1, max: 5 }),
    lengthPenalty: fc.constantFrom('none', 'gnmt:0.6', 'gnmt:-0.5', 'average:1'),
    maxLength: fc.integer({ min: 1, max: 20 }),
  }),
  fc.record({ beam: fc.constant(4), nBest: fc.integer({ min: 1, max: 4 }), distinct: fc.boolean() }),
  fc.record({ beam: fc.constant(3), coveragePenalty: fc.constant(0.2) }),
  fc.record({
    beam: fc.constant(2),
    nBest: fc.constant(3),
    alternatives: fc.constant(true),
    prefix: fc.constant('the'),
  }),
  fc.record({ nBest: fc.integer({ min: 1, max: 3 }), sampling: fc.record({ seed: fc.nat(9) }) }),
);
const asked = fc.record({
  by: fc.constantFrom(...models),
  line: fc.constantFrom(...wordyLines(12, 3).map((line) => line.split(' ').slice(0, 8).join(' '))),
  options: searches,
});

describe('the tree of a search', () => {
  it('ends in the translations that the search returns, with their scores', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async ({ by, line, options }) => {
        const { nodes, results } = await searchOf(line, options, by);
        const [{ translations }] = await by.translateAll([line], options);
        expect(results).toHaveLength(translations.length);
        for (const [i, { tokens, score, reason, logProbabilities }] of translations.entries()) {
          const path = pathTo(nodes, results[i]);
          expect(idsOf(path)).toEqual(tokens);
          expect(path.map(({ logProbability }) => logProbability)).toEqual(logProbabilities);
          expect(nodes[results[i]]).toMatchObject({ score, reason, status: 'finished' });
        }
      }),
      { numRuns: 40 },
    );
  });

  it('adds up: totals over the path, scores by the length penalty, one path to the winner', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async ({ by, line, options }) => {
        const { nodes, results, ...search } = await searchOf(line, options, by);
        const winners = new Set([0, ...pathTo(nodes, results[0]).map(({ id }) => id)]);
        for (const [id, node] of nodes.entries()) {
          expect(node.id).toBe(id);
          expect(node.winning).toBe(winners.has(id));
          if (node.parent === undefined) {
            expect([id, node.position, node.token.piece]).toEqual([0, -1, '<s>']);
            continue;
          }
          const parent = nodes[node.parent];
          expect(node.parent).toBeLessThan(id);
          expect([node.position, node.length]).toEqual([parent.position + 1, parent.length + 1]);
          expect(node.total).toBeCloseTo(parent.total + node.logProbability, 10);
          expect(node.divisor).toBe(lengthPenalty(search.lengthPenalty, node.length));
          if (search.coveragePenalty === 0 || node.status !== 'finished')
            expect(node.score).toBe(node.total / node.divisor);
          expect(node.reason !== undefined).toBe(node.status === 'finished');
          if (node.reason === 'end') expect(node.token.id).toBe(endId);
          else if (node.token.id === endId) expect(node.status).toBe('pruned');
        }
      }),
      { numRuns: 40 },
    );
  });

  it('keeps at most `beam` live nodes a step, none worse than what it prunes', async () => {
    const { nodes, beam } = await searchOf('the cat sat on the mat', { beam: 3 });
    const last = Math.max(...nodes.map(({ position }) => position));
    for (let position = 0; position <= last; position++) {
      const here = nodes.filter((node) => node.position === position);
      const live = here.filter(({ status }) => status === 'live').map(({ total }) => total);
      const pruned = here.filter(({ status, token }) => status === 'pruned' && token.id !== endId);
      expect(live.length).toBeLessThanOrEqual(beam);
      for (const { total } of pruned) expect(total).toBeLessThanOrEqual(Math.min(...live));
    }
    expect(nodes.filter(({ status }) => status === 'pruned').length).toBeGreaterThan(10);
  });

  it('reports why the search stopped: no live hypothesis could exceed the best', async () => {
    const { nodes, results, stop } = await searchOf('the cat sat on the mat', { beam: 4, lengthPenalty: 'none' });
    expect(stop.rule).toBe('decided');
    expect(stop.threshold).toBe(nodes[results[0]].score);
    expect(stop.bestPossible).toBeLessThanOrEqual(nodes[results[0]].score);
    const finished = nodes.filter(({ status }) => status === 'finished');
    expect(Math.max(...finished.map(({ score }) => score))).toBe(nodes[results[0]].score);
  });

  it('cuts hypotheses of maximal length', async () => {
    const { nodes, results, stop } = await searchOf('the cat', { beam: 2, minLength: 2, maxLength: 2 });
    expect(stop.rule).toBe('length');
    expect(nodes[results[0]]).toMatchObject({ status: 'finished', reason: 'length', position: 1 });
  });

  it('contains the path of a glossary’s terms', async () => {
    const glossary = new Glossary([{ source: 'cat', target: 'Straße' }]);
    const { nodes, results } = await searchOf('a cat', { glossary });
    const text = pathTo(nodes, results[0])
      .map(({ token }) => token.piece)
      .join('');
    expect(text.replaceAll('▁', ' ')).toContain(' Straße');
  });

  it('is that of the model’s own translation, also with a given translation', async () => {
    const own = await searchOf('the cat sat');
    expect(await searchOf('the cat sat', { translation: 'the dog' })).toEqual(own);
    expect((await first.trace('the cat sat', { translation: 'the dog' })).search).toBeUndefined();
  });

  it('does not change the search', async () => {
    const line = 'the man who had 42 hats';
    expect((await first.trace(line, { search: true })).target.text).toBe(await first.translate(line));
  });
});
