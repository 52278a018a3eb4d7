import { describe, expect, it } from 'vitest';
import { headColours, sequentialScale } from '../drawing/colour.ts';
import type { Shape } from '../drawing/figure.ts';
import { heatMapFigure, type Inks, lineFigure } from './figures.ts';

const inks: Inks = {
  paper: '#fff',
  ink: '#000',
  weights: sequentialScale('light'),
  strongest: 1,
  heads: headColours(2, 'light'),
};
const rows = ['▁ein', '</s>'];
const columns = ['▁a', '▁one', '</s>'];
const values = [
  [0.5, 0.25, 0.25],
  [0, 0, 1],
];

function ofKind<Kind extends Shape['kind']>(shapes: readonly Shape[], kind: Kind) {
  return shapes.filter((shape): shape is Extract<Shape, { kind: Kind }> => shape.kind === kind);
}

describe('heatMapFigure', () => {
  const { width, height, shapes } = heatMapFigure({ rows, columns, values }, 'Layer 1', inks);

  it('has a cell for each weight, labelled with its query and key tokens', () => {
    const cells = ofKind(shapes, 'rectangle');
    expect(cells.map(({ title }) => title)).toContain('▁ein → ▁one: 0.2500');
    expect(cells).toHaveLength(6);
    expect(cells[5].fill).toBe(`rgb(${inks.weights[255].join(',')})`);
  });

  it('draws everything inside its frame', () => {
    for (const { x, y, width: w, height: h } of ofKind(shapes, 'rectangle')) {
      expect(x).toBeGreaterThan(0);
      expect(x + w).toBeLessThanOrEqual(width);
      expect(y + h).toBeLessThanOrEqual(height);
    }
    expect(ofKind(shapes, 'label').map(({ text }) => text)).toEqual([...columns, ...rows]);
  });
});

describe('lineFigure', () => {
  const heads = [
    { head: 0, values },
    { head: 1, values },
  ];

  it('groups the lines of each head', () => {
    const options = { orientation: 'columns', row: undefined, title: 'lines' } as const;
    const groups = ofKind(lineFigure({ rows, columns, heads }, options, inks).shapes, 'group');
    expect(groups.map(({ name, shapes }) => [name, shapes.length])).toEqual([
      ['head-1', 4],
      ['head-2', 4],
    ]);
  });

  it('draws one word alone, in two rows as in the paper', () => {
    const options = { orientation: 'rows', row: 1, title: 'lines' } as const;
    const { width, height, shapes } = lineFigure({ rows, columns, heads }, options, inks);
    expect(ofKind(shapes, 'group').map((group) => group.shapes.length)).toEqual([1, 1]);
    expect(ofKind(shapes, 'label').every(({ turn }) => turn === -90)).toBe(true);
    expect(height).toBeGreaterThan(width);
  });
});
