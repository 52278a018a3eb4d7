import { expect, it } from 'vitest';
import { headColours, sequentialScale } from '../drawing/colour.ts';
import type { Figure } from '../drawing/figure.ts';
import type { AttentionData } from './attention-data.ts';
import { standaloneHtml } from './standalone.ts';

const figure: Figure = { width: 10, height: 10, background: '#fff', title: 'figure', shapes: [] };

const data: AttentionData = {
  format: 'heed-attention',
  version: 1,
  model: 'm',
  source: '</script><b>',
  target: 'b',
  attention: 'cross',
  layer: 2,
  temperature: 1,
  rows: ['a'],
  columns: ['b'],
  heads: [
    { head: 1, entropy: 0, weights: [[1]] },
    { head: 3, entropy: 0, weights: [[1]] },
  ],
};

const html = standaloneHtml({
  data,
  lines: figure,
  heatMaps: [figure, figure],
  inks: { paper: '#fff', ink: '#000', weights: sequentialScale('light'), strongest: 1, heads: headColours(3, 'light') },
  words: { title: '</script><b>', head: (head) => `Head ${head}`, heatMap: 'Heat map', lines: 'Lines' },
});

it('toggles heads by CSS alone, and requests nothing from any host', () => {
  expect(html).toContain('body:not(:has(#show-3:checked)) .head-3{display:none}');
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).toContain('<script type="application/json" id="data">');
  expect(html).not.toMatch(/(src|href)=|@import|url\(/);
});

it('embeds its numbers, and no text in them can end the script block', () => {
  const json = /id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
  expect(JSON.parse(json)).toEqual(data);
  expect(html).not.toContain('<b>');
});
