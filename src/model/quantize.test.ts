import { describe, expect, it } from 'vitest';
import { smallModel } from '../../test/small-model.ts';
import { formatModel, parseModel } from './model-files.ts';
import { quantizeModel } from './quantize.ts';

describe.each([false, true])('quantizeModel, separate vocabularies: %s', (separate) => {
  const model = smallModel({ separate, dModel: 64 });
  const int8 = quantizeModel(model);

  it('keeps vectors and changes matrices by at most half a step', () => {
    int8.parameters.parameters.forEach(({ name, shape, data }, i) => {
      const original = model.parameters.parameters[i].data;
      const matrix = int8.quantized?.get(name);
      expect(matrix === undefined, name).toBe(shape.length === 1);
      data.forEach((value, k) => {
        const scale = matrix?.scales[matrix.axis === 0 ? Math.floor(k / shape[1]) : k % shape[1]] ?? 0;
        expect(Math.abs(value - original[k])).toBeLessThanOrEqual(0.5001 * scale);
      });
    });
  });

  it('scales embeddings by rows and other matrices by columns', () => {
    const axes = [...(int8.quantized ?? [])].map(([name, { axis }]) => [name, axis] as const);
    for (const [name, axis] of axes) expect(axis, name).toBe(/embedding|^output/i.test(name) ? 0 : 1);
  });

  it('round-trips through files, which are much smaller', () => {
    const files = formatModel(int8);
    const again = parseModel(files, 'model');
    expect(again.parameters.data).toEqual(int8.parameters.data);
    expect(again.quantized).toEqual(int8.quantized);
    expect(formatModel(again).weights).toEqual(files.weights);
    expect(files.weights.length).toBeLessThan(0.4 * formatModel(model).weights.length);
  });

  it('does not change its input', () => {
    expect(model.quantized).toBeUndefined();
    expect(parseModel(formatModel(model), 'model').quantized).toBeUndefined();
  });

  it('refuses codes beyond ±63, whose products overflow on some processors', () => {
    const [name, matrix] = [...(int8.quantized ?? [])][0];
    const tooLarge = new Map([...(int8.quantized ?? [])]);
    tooLarge.set(name, { ...matrix, data: matrix.data.map((code, i) => (i === 0 ? -64 : code)) });
    const files = formatModel({ ...int8, quantized: tooLarge });
    expect(() => parseModel(files, 'model')).toThrow(
      'int8 weights must lie within ±63; make the model anew by heed quantize.',
    );
  });
});
