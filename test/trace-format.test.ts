// Traces: labels, kinds of models, short sources, and the format.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quantizeModel, type StoredModel } from '../src/model/index.ts';
import { arrayValues, type Trace, type TraceOptions, Translator } from '../src/translate/index.ts';
import { smallModel } from './small-model.ts';
import { architectures, meanOfHeads, model, setup, source, translation, translator } from './trace-model.ts';
import { wordyLines, wordyModel, wordyTokenizer } from './wordy-model.ts';

describe('labels of a trace', () => {
  it('name what is read and what comes next', async () => {
    const { source: from, target } = await translator.trace(source, { translation });
    expect(from.tokens.map(({ piece }) => piece)).toEqual([
      ...wordyTokenizer.pieces(wordyTokenizer.encode(source)),
      '</s>',
    ]);
    expect(target.tokens.map(({ piece }) => piece)).toEqual([
      '<s>',
      ...wordyTokenizer.pieces(wordyTokenizer.encode(translation)),
    ]);
    expect(target.predictions.map(({ next }) => next.piece)).toEqual([
      ...target.tokens.slice(1).map(({ piece }) => piece),
      '</s>',
    ]);
    expect([...from.tokens, ...target.tokens].filter(({ special }) => special).map(({ piece }) => piece)).toEqual([
      '</s>',
      '<s>',
    ]);
    expect([target.text, target.from]).toEqual([translation, 'caller']);
  });

  // tensor2tensor#898: rows labelled by the token predicted, one place off.
  it('are not shifted: in a model whose tokens look at themselves, each row peaks at its own token', async () => {
    const looker = selfSeekingModel();
    const order = ['the cat ran', 'ran the cat'];
    const { attention, ...trace } = await new Translator(looker, setup).trace(order[0], { translation: order[1] });
    const seen = (rows: readonly number[][], tokens: Trace['source']['tokens']) =>
      rows.map((row) => tokens[row.indexOf(Math.max(...row))].piece);
    const pieces = trace.source.tokens.map(({ piece }) => piece);
    expect(seen(meanOfHeads(attention.encoder[0]), trace.source.tokens)).toEqual(pieces);
    expect(seen(meanOfHeads(attention.decoder[0]), trace.target.tokens)).toEqual(
      trace.target.tokens.map(({ piece }) => piece),
    );
    // START has no counterpart in the source.
    const crossed = seen(meanOfHeads(attention.cross[0]).slice(1), trace.source.tokens);
    expect(crossed).toEqual(trace.target.tokens.slice(1).map(({ piece }) => piece));
    expect(crossed).toEqual(['▁ran', '▁the', '▁cat']);
  });

  it('give no position attention to a later one; every row sums to 1', async () => {
    const { attention } = await translator.trace(source, { translation });
    for (const array of attention.decoder) {
      const [heads, length] = array.shape;
      const values = arrayValues(array);
      for (let head = 0; head < heads; head++)
        for (let i = 0; i < length; i++)
          for (let j = i + 1; j < length; j++) expect(values[(head * length + i) * length + j]).toBe(0);
    }
    for (const array of [...attention.encoder, ...attention.decoder, ...attention.cross]) {
      const [, , columns] = array.shape;
      const values = arrayValues(array);
      for (let start = 0; start < values.length; start += columns)
        expect(values.subarray(start, start + columns).reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 5);
    }
  });
});

describe('the model’s own translation', () => {
  const lines = wordyLines(6, 5);

  it.each([undefined, 0, 2])('is traced with the attention of the search (layer %s)', async (attentionLayer) => {
    for (const architecture of [
      architectures.paper,
      architectures['rotary, SwiGLU, other widths'],
      { norm: 'pre' } as const,
    ]) {
      const recording = new Translator(wordyModel({ architecture }), { ...setup, attentionLayer });
      for (const line of lines.slice(0, 3)) {
        const trace = await recording.trace(line, { beam: 3 });
        const [{ translations }] = await recording.translateAll([line], { beam: 3, attention: true });
        const [{ text, tokens, attention = [], logProbabilities }] = translations;
        expect([trace.target.text, trace.target.from]).toEqual([text, 'search']);
        expect(trace.target.tokens.slice(1).map(({ id }) => id)).toEqual(tokens);
        expect(trace.attention.alignmentLayer).toBe(attentionLayer ?? 1);
        const rows = meanOfHeads(trace.attention.cross[trace.attention.alignmentLayer]);
        expect(rows).toHaveLength(attention.length + 1); // the last position expects what comes after
        for (const [i, row] of attention.entries())
          for (const [j, weight] of row.entries()) expect(weight).toBeCloseTo(rows[i][j], 4);
        for (const [i, value] of logProbabilities.entries())
          expect(trace.target.predictions[i].next.logProbability).toBeCloseTo(value, 3);
      }
    }
  });

  it('is searched for with the options of translation', async () => {
    const { target } = await translator.trace(source, { prefix: 'the dog ', beam: 2 });
    expect(target.text.startsWith('the dog ')).toBe(true);
    expect(target.text).toBe(await translator.translate(source, { prefix: 'the dog ', beam: 2 }));
  });

  it('may be given by its ids', async () => {
    const tokens = [...wordyTokenizer.encode(translation)];
    expect(await translator.trace(source, { translation: tokens })).toEqual(
      await translator.trace(source, { translation }),
    );
  });
});

describe('models of every kind', () => {
  it('with int8 weights are traced as they translate', async () => {
    const quantized = new Translator(quantizeModel(model), setup);
    const trace = await quantized.trace('the man had 42 hats', { tensors: 0 });
    const [{ translations }] = await quantized.translateAll(['the man had 42 hats'], { attention: true });
    expect(trace.model.arithmetic).toBe('int8');
    expect(trace.target.text).toBe(translations[0].text);
    const rows = meanOfHeads(trace.attention.cross[trace.attention.alignmentLayer]);
    for (const [i, row] of (translations[0].attention ?? []).entries())
      for (const [j, weight] of row.entries()) expect(weight).toBeCloseTo(rows[i][j], 4);
  });

  it('in training are traced with their current weights', async () => {
    const training = wordyModel({ architecture: architectures.paper });
    const fed = new Translator(training, { ...setup, weights: 'fed' });
    const before = await fed.trace(source, { translation });
    expect(before.attention).toEqual((await translator.trace(source, { translation })).attention);
    training.parameters.data.forEach((value, i, data) => {
      data[i] = value * 1.1;
    });
    const now = await fed.trace(source, { translation });
    expect(now).toEqual(await new Translator(training, setup).trace(source, { translation }));
    expect(now.attention).not.toEqual(before.attention);
  });

  it('with target tags show the tag that is read', async () => {
    const tagged = new Translator(smallModel({ languages: ['zh', 'en'] }), setup);
    const { source: read } = await tagged.trace('the cat', { to: 'zh', translation: 'the' });
    expect(read.tokens[0]).toEqual({ id: expect.any(Number), piece: '>>zh<<', special: true });
    expect(read.text).toBe('the cat');
    await expect(tagged.trace('the cat')).rejects.toThrow(
      'translate: to must say which language to translate into: zh or en.',
    );
  });
});

describe('short sources', () => {
  it('of one token have attention like any other', async () => {
    const { source: read, attention } = await translator.trace('a', { translation: 'b' });
    expect(read.tokens.map(({ piece }) => piece)).toEqual([
      ...wordyTokenizer.pieces(wordyTokenizer.encode('a')),
      '</s>',
    ]);
    expect(attention.encoder[0].shape).toEqual([3, read.tokens.length, read.tokens.length]);
  });

  it.each(['', ' ', '\t'])(
    'that are blank (%j) are read as they are, and have an empty translation without a search',
    async (text) => {
      const trace = await translator.trace(text, { search: true });
      expect(trace.source.tokens.at(-1)?.piece).toBe('</s>');
      expect(trace.source.tokens.length).toBe(1 + wordyTokenizer.encode(text).length);
      expect(trace.target.tokens.map(({ piece }) => piece)).toEqual(['<s>']);
      expect(trace.target.predictions.map(({ next }) => next.piece)).toEqual(['</s>']);
      expect([trace.target.text, trace.target.from, trace.search]).toEqual(['', 'search', undefined]);
      expect((await translator.trace(text, { translation, search: true })).target.text).toBe(translation);
    },
  );
});

describe('the format', () => {
  it('is plain JSON with any options', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          tensors: fc.constantFrom('none' as const, 'all' as const, 1),
          search: fc.boolean(),
          candidates: fc.integer({ min: 1, max: 400 }),
          arrays: fc.constantFrom('numbers' as const, 'base64' as const),
          translation: fc.option(fc.constantFrom('', 'the', translation), { nil: undefined }),
        }),
        async (options) => {
          const trace = await translator.trace(source, options);
          expect(JSON.parse(JSON.stringify(trace))).toStrictEqual(trace);
          expect(trace.target.predictions[0].best).toHaveLength(Math.min(options.candidates, wordyTokenizer.size));
        },
      ),
      { numRuns: 15 },
    );
  });

  it('has the same numbers in both forms of arrays', async () => {
    const [numbers, base64] = await Promise.all([
      translator.trace(source, { translation, tensors: 'all' }),
      translator.trace(source, { translation, tensors: 'all', arrays: 'base64' }),
    ]);
    for (const [i, tensor] of (base64.tensors ?? []).entries()) {
      expect(typeof tensor.values).toBe('string');
      expect(tensor.shape).toEqual(numbers.tensors?.[i].shape);
      const exact = arrayValues(tensor);
      const written = numbers.tensors?.[i].values as readonly number[];
      exact.forEach((value, k) => {
        expect(Math.abs(written[k] - value)).toBeLessThanOrEqual(1e-6 * Math.abs(value));
      });
    }
  });

  it('names its model, without the path', async () => {
    const named = new Translator([model], setup, ['/home/ann/models/dates/']);
    const { format, version, model: facts } = await named.trace(source, { translation });
    expect([format, version, facts.name, facts.arithmetic]).toEqual(['heed-trace', 1, 'dates', 'float32']);
    expect([facts.config, facts.parameters]).toEqual([model.config, model.parameters.data.length]);
  });

  it.each<[TraceOptions, string]>([
    [{ tensors: 3 }, 'trace: tensors must be none, all or a layer from 0 to 2, got 3.'],
    [{ tensors: 0.5 }, 'trace: tensors must be none, all or a layer from 0 to 2, got 0.5.'],
    [{ candidates: 0 }, 'trace: candidates must be a whole number of at least 1, got 0.'],
    [JSON.parse('{"arrays":"hex"}'), 'trace: arrays must be numbers or base64, got hex.'],
    [JSON.parse('{"tensor":1}'), 'decode: unknown option tensor'],
    [{ beam: 0 }, 'decode: beam must be a whole number of at least 1, got 0.'],
    [{ translation: [1e6] }, 'tokenizer: ids run from 0'],
  ])('refuses %j', async (options, message) => {
    await expect(translator.trace(source, options)).rejects.toThrow(message);
  });

  it('is of one model', async () => {
    await expect(new Translator([model, model], setup).trace(source)).rejects.toThrow(
      'trace: looks into one model, got an ensemble of 2; load one of them.',
    );
  });

  it('is limited by the table of learned positions', async () => {
    const short = new Translator(wordyModel({ architecture: { positions: 'learned', maxPositions: 8 } }), setup);
    await expect(short.trace('a', { translation: 'cat '.repeat(9) })).rejects.toThrow(
      /^line 1: the target must fit into/,
    );
  });
});

describe('docs/trace.md', () => {
  const page = readFileSync(new URL('../docs/trace.md', import.meta.url), 'utf8');

  it('shows an example with the fields of a real trace', async () => {
    const example: unknown = JSON.parse(page.match(/^```json\n(.*?)^```$/ms)?.[1] ?? '');
    const options = { translation: 'the', beam: 1, lengthPenalty: 'none', tensors: 0, search: true, candidates: 400 };
    expect(fieldsOf(example)).toEqual(fieldsOf(await translator.trace(source, options)));
  });

  it('lists the name of every result', async () => {
    const listed = new Set(
      page.match(/^\| `.*$/gm)?.flatMap((row) => row.split('|')[1].match(/[a-zA-Z]+(?=`)/g) ?? []),
    );
    const swiglu = new Translator(wordyModel({ architecture: { norm: 'pre', activation: 'swiglu' } }), setup);
    const { tensors = [] } = await swiglu.trace(source, { translation, tensors: 'all' });
    for (const { name } of tensors) expect(listed, name).toContain(name.split('.').at(-1));
  });
});

/** The paths of all fields, `target.tokens[].id`; of arrays whatever any entry has. */
function fieldsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inside = Array.isArray(value)
    ? value.flatMap((entry) => fieldsOf(entry, `${path}[]`))
    : Object.entries(value).flatMap(([key, entry]) => fieldsOf(entry, `${path}.${key}`));
  return [...new Set(inside)].toSorted();
}

/** Every token looks for itself: queries and keys are the embeddings, attention adds nothing to what passes by it. */
function selfSeekingModel(): StoredModel {
  const seeking = wordyModel({
    architecture: { heads: 1, encoderLayers: 1, decoderLayers: 1, positions: 'none', embeddings: 'tied', dModel: 32 },
  });
  for (const { name, shape, data } of seeking.parameters.parameters) {
    const isSeeker = /Attention\.(query|key)\.weight$/.test(name);
    if (isSeeker)
      data.forEach((_, i) => {
        data[i] = Math.floor(i / shape[1]) === i % shape[1] ? 3 : 0;
      });
    else if (/(value|output)\.(weight|bias)$/.test(name)) data.fill(0);
  }
  return seeking;
}
