import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layerConfig } from '../../../test/layer-config.ts';
import { drawn, leavesOf, value } from '../../../test/leaves.ts';
import { constantIds, evaluate, input, type Tensor } from '../../tensor/index.ts';
import type { LayerConfig } from '../layer-config.ts';
import { Scope } from '../scope.ts';
import { positionSchemes } from './registry.ts';
import { rotate } from './rotary.ts';
import { concatenatedSinusoids, interleavedSinusoids } from './sinusoids.ts';

const D = 64;

function rowsOf(tensor: Tensor): number[][] {
  const [{ shape, data }] = evaluate([tensor], new Map());
  return Array.from({ length: shape[0] }, (_, row) => [...data.subarray(row * shape[1], (row + 1) * shape[1])]);
}

function encodings(...positions: number[]): number[][] {
  return rowsOf(interleavedSinusoids(constantIds([positions.length], positions), D));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, x, i) => sum + x * b[i], 0);
}

const position = fc.nat(5000);
const distance = fc.nat(500);

describe('interleaved sinusoids', () => {
  it('begin with sin 1 and cos 1 at position 1', () => {
    const [first] = encodings(1);
    expect(first[0]).toBeCloseTo(0.841471, 6);
    expect(first[1]).toBeCloseTo(0.540302, 6);
  });

  it('are 0, 1, 0, 1, … at position 0', () => {
    expect(encodings(0)[0]).toEqual(Array.from({ length: D }, (_, i) => i % 2));
  });

  it('are the formula of section 3.5', () => {
    const positions = [2, 7, 1000];
    encodings(...positions).forEach((row, k) => {
      row.forEach((entry, column) => {
        const angle = positions[k] / 10000 ** ((2 * Math.floor(column / 2)) / D);
        expect(entry).toBeCloseTo(column % 2 === 0 ? Math.sin(angle) : Math.cos(angle), 10);
      });
    });
  });

  it('PE(p) · PE(p + k) depends on k only', () => {
    fc.assert(
      fc.property(position, position, distance, (p, q, k) => {
        const [atP, laterThanP, atQ, laterThanQ] = encodings(p, p + k, q, q + k);
        expect(dot(atP, laterThanP)).toBeCloseTo(dot(atQ, laterThanQ), 8);
      }),
    );
  });

  it('PE(p + k) is PE(p), each pair rotated by an angle that depends on k only', () => {
    fc.assert(
      fc.property(position, distance, (p, k) => {
        const [at, later] = encodings(p, p + k);
        for (let i = 0; i < D / 2; i++) {
          const turn = k / 10000 ** ((2 * i) / D);
          const [sine, cosine] = [at[2 * i], at[2 * i + 1]];
          expect(later[2 * i]).toBeCloseTo(sine * Math.cos(turn) + cosine * Math.sin(turn), 8);
          expect(later[2 * i + 1]).toBeCloseTo(cosine * Math.cos(turn) - sine * Math.sin(turn), 8);
        }
      }),
    );
  });
});

describe('concatenated sinusoids', () => {
  it('are all sines, then all cosines, with wavelengths from 2π to 10000 · 2π', () => {
    const [row] = rowsOf(concatenatedSinusoids(constantIds([1], [3]), D));
    expect(row[0]).toBeCloseTo(Math.sin(3), 12);
    expect(row[D / 2 - 1]).toBeCloseTo(Math.sin(3 / 10000), 12);
    expect(row[D / 2]).toBeCloseTo(Math.cos(3), 12);
    expect(row[D - 1]).toBeCloseTo(Math.cos(3 / 10000), 12);
  });

  it('work with a width of 2', () => {
    const [row] = rowsOf(concatenatedSinusoids(constantIds([1], [3]), 2));
    expect(row).toEqual([Math.sin(3), Math.cos(3)]);
  });
});

describe('rotary positions', () => {
  const x = input('x', 'float32', [1, 1, 1, 8]);

  function rotated(seed: number, at: number): number[] {
    const positions = constantIds([1], [at]);
    return [...evaluate([rotate(x, positions)], new Map([[x, drawn([1, 1, 1, 8], seed)]]))[0].data];
  }

  it('do nothing at position 0, and preserve lengths', () => {
    const plain = [...drawn([8], 1).data];
    expect(rotated(1, 0)).toEqual(plain);
    expect(dot(rotated(1, 37), rotated(1, 37))).toBeCloseTo(dot(plain, plain), 10);
  });

  it('make q · k depend on the distance only', () => {
    fc.assert(
      fc.property(position, position, distance, (p, q, k) => {
        expect(dot(rotated(1, p), rotated(2, p + k))).toBeCloseTo(dot(rotated(1, q), rotated(2, q + k)), 8);
      }),
    );
  });
});

describe('position schemes', () => {
  const x = input('x', 'float32', ['batch', 'time', 4]);
  const positions = input('positions', 'int32', ['time']);
  const inputs = { x: drawn([2, 3, 4], 1), positions: value([0, 1, 2]) };

  function embedded(config: LayerConfig): Tensor {
    const scheme = positionSchemes.get(config.positions).create(new Scope('p'), config);
    return scheme.embed?.(x, positions) ?? x;
  }

  it.each(['rotary', 'none'] as const)('adds nothing with %s positions', (kind) => {
    const config = layerConfig({ dModel: 4, heads: 2, positions: kind });
    expect(positionSchemes.get(kind).create(new Scope('p'), config).embed).toBeUndefined();
  });

  it('adds a row of its table with learned positions', () => {
    const config = layerConfig({ dModel: 4, heads: 2, positions: 'learned', maxPositions: 5 });
    const result = embedded(config);
    const leaves = leavesOf([result], inputs);
    const table = [...leaves.entries()].find(([leaf]) => leaf.operator.name === 'parameter')?.[1];
    expect(table?.shape).toEqual([5, 4]);
    evaluate([result], leaves)[0].data.forEach((entry, i) => {
      expect(entry).toBeCloseTo(inputs.x.data[i] + (table?.data[i % 12] ?? 0), 12);
    });
  });

  it.each([
    ['interleaved', interleavedSinusoids],
    ['concatenated', concatenatedSinusoids],
  ] as const)('adds %s sinusoids to every sentence', (kind, sinusoids) => {
    const config = layerConfig({ dModel: 4, heads: 2, positions: kind });
    const result = embedded(config);
    const added = rowsOf(sinusoids(constantIds([3], [0, 1, 2]), 4)).flat();
    evaluate([result], leavesOf([result], inputs))[0].data.forEach((entry, i) => {
      expect(entry).toBeCloseTo(inputs.x.data[i] + added[i % 12], 12);
    });
  });
});
