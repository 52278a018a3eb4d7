import { describe, expect, it } from 'vitest';
import { byStroke, endsOf, linesOf } from './lines.ts';

const heads = [
  {
    head: 0,
    values: [
      [0.9, 0.1, 0],
      [0.5, 0.5, 0],
    ],
  },
  {
    head: 2,
    values: [
      [0, 0, 1],
      [0.004, 0.006, 0.99],
    ],
  },
];

describe('linesOf', () => {
  it('goes from query token to key token, strong lines last', () => {
    const lines = linesOf(heads);
    expect(lines.at(-1)).toEqual({ head: 2, row: 0, column: 2, weight: 1 });
    expect(lines[0]).toEqual({ head: 0, row: 0, column: 1, weight: 0.1 });
    expect(lines).toHaveLength(6);
  });

  it('shows one word alone', () => {
    expect(linesOf(heads, { row: 1 }).every((line) => line.row === 1)).toBe(true);
    expect(linesOf(heads, { row: 1, least: 0 })).toHaveLength(6);
  });

  it('keeps the strongest of too many', () => {
    expect(linesOf(heads, { limit: 2 }).map(({ weight }) => weight)).toEqual([0.99, 1]);
    const even = [{ head: 0, values: Array.from({ length: 50 }, () => new Float32Array(50).fill(1 / 50)) }];
    expect(linesOf(even, { limit: 100 })).toHaveLength(100);
  });
});

describe('endsOf', () => {
  const line = { head: 0, row: 2, column: 5, weight: 1 };

  it('runs across in columns and down in rows', () => {
    const space = { step: 20, gap: 200 };
    expect(endsOf(line, { ...space, orientation: 'columns' })).toEqual([
      { x: 0, y: 50 },
      { x: 200, y: 110 },
    ]);
    expect(endsOf(line, { ...space, orientation: 'rows' })).toEqual([
      { x: 50, y: 0 },
      { x: 110, y: 200 },
    ]);
  });
});

describe('endsOf one word', () => {
  it('lets the heads end side by side', () => {
    const space = { orientation: 'rows', step: 20, gap: 100, spread: [0, 3] } as const;
    const ends = [0, 3].map((head) => endsOf({ head, row: 0, column: 1, weight: 1 }, space)[1].x);
    expect(ends).toEqual([25, 35]);
  });
});

describe('byStroke', () => {
  it('groups by head and opacity, faint first', () => {
    const groups = byStroke(linesOf(heads), 10);
    expect(groups.map(({ head, opacity, lines }) => [head, opacity, lines.length])).toEqual([
      [0, 0.1, 1],
      [0, 0.5, 2],
      [0, 0.9, 1],
      [2, 1, 2],
    ]);
  });
});
