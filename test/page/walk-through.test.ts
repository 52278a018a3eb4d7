// The walk-through with a real server and a tiny model: every stage is reached, and its numbers are those of the trace.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { TransformerConfig } from '../../src/architectures/index.ts';
import { compile } from '../../src/runtime/node/index.ts';
import type { InspectRequest } from '../../src/serve/index.ts';
import { type Trace, Translator } from '../../src/translate/index.ts';
import type { Matrix, Stage, StageText } from '../../web/src/walk-through/stage.ts';
import { stagesOf } from '../../web/src/walk-through/stages.ts';
import { dot, format } from '../../web/src/walk-through/sums.ts';
import { wordyModel } from '../wordy-model.ts';
import { describePage, seriousFaults, sidewaysScroll } from './site.ts';

const sentence = 'the cat sat on the mat';
const address = `text=${sentence.replaceAll(' ', '+')}&source=en&target=de`;
const words = { more: (count: number) => `… ${count} more` };

function resultOf({ matrices, result }: Stage): Matrix {
  return matrices.find(({ id }) => id === result)!;
}

/** Every number that is explained, and its explanation. */
function explanationsOf(stages: readonly Stage[]): { place: string; sum: string; value: number }[] {
  return stages.flatMap(({ id: stage, matrices, originOf }) =>
    matrices.flatMap(({ id, values }) =>
      values.flatMap((numbers, row) =>
        Array.from(numbers).flatMap((value, column) => {
          const sum = originOf(id, row, column)?.sum;
          return sum === undefined ? [] : [{ place: `${stage} ${id} ${row} ${column}`, sum, value }];
        }),
      ),
    ),
  );
}

it.each<Partial<TransformerConfig>>([
  { norm: 'post', positions: 'interleaved', activation: 'relu', embeddings: 'tied' },
  { norm: 'pre', positions: 'rotary', activation: 'swiglu', embeddings: 'separate' },
  { norm: 'pre', positions: 'learned', activation: 'gelu', attentionBias: false },
])('explains each number of a model %j by a sum that ends in it', async (architecture) => {
  const translator = new Translator(wordyModel({ architecture }), { compile });
  const trace = await translator.trace(sentence, { tensors: 1, arrays: 'base64' });
  await translator.release();
  const explanations = explanationsOf(stagesOf(trace, { layer: 1, head: 2 }, words));
  expect(explanations.length).toBeGreaterThan(3000);
  const wrong = explanations.filter(({ sum, value }) => !sum.endsWith(`= ${format(value)}`));
  expect(wrong.slice(0, 5)).toEqual([]);
});

type Rows = Readonly<Record<string, readonly Float32Array[]>>;

/** What each result is by the paper's formula, from the matrices shown beside it. */
const formulas: Partial<Record<StageText, (matrices: Rows, row: number, column: number) => number>> = {
  embedding: ({ embedding }, i, j) => embedding[i][j] * Math.sqrt(embedding[i].length),
  positions: ({ scaledEmbedding }, i, j) => {
    const angle = i / 10000 ** ((j - (j % 2)) / scaledEmbedding[i].length);
    return scaledEmbedding[i][j] + (j % 2 === 0 ? Math.sin(angle) : Math.cos(angle));
  },
  scores: ({ queries, keys }, i, j) => dot(queries[i], keys[j]) / Math.sqrt(queries[i].length),
  paddingMask: ({ scores }, i, j) => scores[i][j],
  causalMask: ({ scores }, i, j) => (j > i ? -1e9 : scores[i][j]),
  softmax: ({ maskedScores }, i, j) => {
    const exponentials = Array.from(maskedScores[i], Math.exp);
    return exponentials[j] / exponentials.reduce((sum, value) => sum + value);
  },
  values: ({ weights, values }, i, j) => weights[i].reduce((sum, weight, k) => sum + weight * values[k][j], 0),
  feedForward: ({ inner }, i, j) => Math.max(0, inner[i][j]),
};

it('shows numbers that obey the formulas beside them', async () => {
  const architecture = { positions: 'interleaved', embeddings: 'tied' } as const;
  const translator = new Translator(wordyModel({ architecture }), { compile });
  const trace = await translator.trace(sentence, { tensors: 0, arrays: 'base64' });
  await translator.release();
  for (const stage of stagesOf(trace, { layer: 0, head: 1 }, words)) {
    const formula = formulas[stage.text];
    if (formula === undefined) continue;
    const matrices = Object.fromEntries(stage.matrices.map(({ id, values }) => [id, values]));
    const expected = resultOf(stage).values.map((row, i) => Array.from(row, (_, j) => formula(matrices, i, j)));
    for (const [i, row] of resultOf(stage).values.entries()) {
      for (const [j, value] of row.entries()) {
        const difference = Math.abs(value - expected[i][j]) / Math.max(1, Math.abs(expected[i][j]));
        expect(difference, `${stage.id} ${i} ${j}`).toBeLessThan(1e-5);
      }
    }
  }
});

describePage('view Walk through', {}, (site) => {
  async function traceOf(question: Partial<InspectRequest> = {}): Promise<Trace> {
    const body = {
      text: sentence,
      source: 'en',
      target: 'de',
      tensors: 0,
      search: true,
      arrays: 'base64',
      ...question,
    };
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${site.address}/v1/inspect`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
    return (await answer.json()) as Trace;
  }

  const explained = (page: Page) => page.locator('.explanation-cell output').textContent();

  it('steps through all stages in the order of the paper, with the numbers of the trace', async () => {
    const stages = stagesOf(await traceOf(), { layer: 0, head: 0 }, words);
    expect(stages.length).toBeGreaterThan(30);
    const page = await site.open(`#/walk-through?${address}`);
    for (const [place, stage] of stages.entries()) {
      await page.getByText(`Step ${place + 1} of ${stages.length}:`).waitFor({ state: 'attached' });
      expect(await page.getByText(`Section ${stage.section} of the paper`).count()).toBe(1);
      if (stage.matrices.length > 0) {
        const largest = Math.max(...resultOf(stage).values[0]);
        expect(await explained(page), stage.id).toBe(format(largest));
      }
      if (place < stages.length - 1) await page.getByRole('button', { name: 'Next →' }).click();
    }
    expect(await page.getByRole('button', { name: 'Next →' }).isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'See the whole search as a tree' }).click();
    await page.getByRole('heading', { level: 1, name: 'Beam' }).waitFor();
  }, 180_000);

  it('lights up what a number was made of', async () => {
    const page = await site.open(`#/walk-through?${address}&stage=encoder.scores&token=1`);
    const scores = page.locator('[data-matrix="scores"]');
    await scores.getByRole('grid').focus();
    for (const key of ['Control+Home', 'ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
    const { rows, values } = resultOf(
      stagesOf(await traceOf(), { layer: 0, head: 0 }, words).find(({ id }) => id === 'encoder.scores')!,
    );
    const spoken = await scores.getByRole('gridcell').getAttribute('aria-label');
    expect(spoken).toBe(`${rows[2]}, ${rows[1]}: ${format(values[2][1])}`);
    expect(await explained(page)).toBe(format(values[2][1]));
    expect(await page.locator('.explanation-sum').textContent()).toMatch(/^q·k = .* \/ √8 = /);
    const top = (matrix: string) =>
      page.locator(`[data-matrix="${matrix}"] .region-frame`).evaluate((frame) => (frame as HTMLElement).style.top);
    expect([await top('queries'), await top('keys')].map(Number.parseFloat)).toEqual([
      expect.closeTo(200 / rows.length, 1),
      expect.closeTo(100 / rows.length, 1),
    ]);
  });

  it('follows the pointer', async () => {
    const page = await site.open(`#/walk-through?${address}&stage=decoder.mask`);
    const grid = page.locator('[data-matrix="maskedScores"]').getByRole('grid');
    const { width, height } = (await grid.boundingBox())!;
    await grid.hover({ position: { x: width - 2, y: 2 } });
    await page.locator('.explanation-cell output', { hasText: '−∞' }).waitFor();
    await grid.hover({ position: { x: 2, y: height - 2 } });
    await page.locator('.explanation-cell output', { hasNotText: '−∞' }).waitFor();
  });

  it('chooses layer, head and token, and keeps them in the address', async () => {
    const page = await site.open(`#/walk-through?${address}&stage=encoder.softmax`);
    await page.getByLabel('Layer').selectOption('2');
    await page.getByLabel('Head').selectOption('3');
    await page.getByLabel('Token').selectOption({ index: 2 });
    const stages = stagesOf(await traceOf({ tensors: 1 }), { layer: 1, head: 2 }, words);
    const { values } = resultOf(stages.find(({ id }) => id === 'encoder.softmax')!);
    const expected = format(Math.max(...values[2]));
    await page.locator('.explanation-cell output', { hasText: expected }).waitFor();
    const again = await site.open(new URL(page.url()).hash);
    await again.locator('.explanation-cell output', { hasText: expected }).waitFor();
    expect(await again.getByLabel('Layer').inputValue()).toBe('1');
  });

  it('leaves out the stages of a stack that has fewer layers', async () => {
    const page = await site.open(`#/walk-through?${address}&layer=3&stage=cross.scores`);
    await page.getByRole('navigation', { name: 'Steps' }).waitFor();
    const parts = await page.getByRole('navigation', { name: 'Steps' }).getByRole('heading').allTextContents();
    expect(parts).toContain('Decoder: attention to the source');
    expect(parts).not.toContain('Encoder: self-attention');
  });

  it('reports a layer that does not exist, beside the sentence', async () => {
    const options = { expectedErrors: /400/ };
    const page = await site.open(`#/walk-through?${address}&layer=9`, options);
    await page.getByRole('alert').filter({ hasText: 'layer from 0 to 2' }).waitFor();
    expect(await page.getByLabel('Sentence').inputValue()).toBe(sentence);
  });

  it('reads a given translation', async () => {
    const page = await site.open(`#/walk-through?${address}&stage=decoder.tokens`);
    await page.getByLabel('Translation', { exact: true }).fill('the dog');
    await page.getByRole('button', { name: 'Look inside' }).click();
    await page.getByText('the dog', { exact: true }).waitFor();
    expect(await page.locator('.token-cards button').count()).toBe(3);
    expect(new URLSearchParams(page.url().split('?')[1]).get('translation')).toBe('the dog');
  });

  it('draws formulas, and speaks Chinese', async () => {
    const page = await site.open(`#/walk-through?${address}&stage=encoder.scores`, { locale: 'zh-CN' });
    await page.locator('.formula .katex').first().waitFor();
    await page.getByRole('heading', { name: '分数' }).waitFor();
    expect(await page.getByText('论文第 3.2.1 节').count()).toBe(1);
  });

  it.each(['encoder.tokens', 'encoder.join', 'cross.softmax', 'output.probabilities', 'output.beam'])(
    'has no serious fault for axe and fits into 360 pixels: %s',
    async (stage) => {
      const page = await site.open(`#/walk-through?${address}&stage=${stage}`, { width: 360, colorScheme: 'dark' });
      await page.getByRole('button', { name: 'Next →' }).waitFor();
      expect(await sidewaysScroll(page)).toBe(0);
      expect(await seriousFaults(page)).toEqual([]);
    },
  );
});
