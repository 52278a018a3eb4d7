import { describe, expect, it } from 'vitest';
import { parseModels } from './model-names.ts';

describe('parseModels', () => {
  it.each([
    ['m', 'm', []],
    ['en-de=m', 'm', [{ source: 'en', target: 'de' }]],
    ['en-pt-BR=m', 'm', [{ source: 'en', target: 'pt-BR' }]],
    ['zh-Hans-en=m', 'm', [{ source: 'zh-Hans', target: 'en' }]],
    ['./a=b', './a=b', []],
    ['en-de=x/en-fr=y', 'x/en-fr=y', [{ source: 'en', target: 'de' }]],
  ])('reads %s', (text, folder, directions) => {
    expect(parseModels([text])).toMatchObject([{ folder, directions }]);
  });

  it('takes a folder in several directions as one model, and numbers folders of the same name', () => {
    expect(parseModels(['en-de=a/m', 'de-en=./a/m', 'b/m'])).toEqual([
      {
        folder: 'a/m',
        name: 'm',
        directions: [
          { source: 'en', target: 'de' },
          { source: 'de', target: 'en' },
        ],
      },
      { folder: 'b/m', name: 'm-2', directions: [] },
    ]);
  });

  it('needs a model', () => {
    expect(() => parseModels([])).toThrow('serve: needs at least one --model');
  });
});
