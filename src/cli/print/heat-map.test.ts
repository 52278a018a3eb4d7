import { describe, expect, it } from 'vitest';
import { drawHeatMap } from './heat-map.ts';

const map = {
  rows: ['▁ein', '猫'],
  columns: ['▁a', 'cat', '</s>'],
  values: [
    [0.9, 0.1, 0],
    [0.05, 0.65, 0.3],
  ],
};

describe('drawHeatMap', () => {
  it('lines rows and columns up, wide characters counted as two', () => {
    expect(drawHeatMap(map, { colour: false })).toEqual(['     ▁a cat </s>', '▁ein ██         ', '  猫    ▓▓▓ ░░░░']);
  });

  it('paints the same cells with colours, the strongest last on the ramp', () => {
    const [, first] = drawHeatMap(map, { colour: true });
    expect(first).toBe('▁ein \x1b[48;5;50m  \x1b[0m \x1b[48;5;17m   \x1b[0m \x1b[48;5;16m    \x1b[0m');
  });
});
