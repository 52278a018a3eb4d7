import { expect, it } from 'vitest';
import type { ModelsAnswer } from '../../../src/serve/index.ts';
import { chosenDirection, directionsOf } from './direction.ts';

const facts = { parameters: 1, arithmetic: 'float32', config: {}, generation: {} } as const;
const answer: ModelsAnswer = {
  models: [
    { name: 'a', directions: [{ source: 'en', target: 'de' }], ...facts },
    {
      name: 'b',
      directions: [
        { source: 'en', target: 'zh' },
        { source: 'zh', target: 'en' },
      ],
      ...facts,
    },
    { name: 'c', directions: [], ...facts },
  ],
};
const all = directionsOf(answer);
const chosen = (query: string) => chosenDirection(all, new URLSearchParams(query));

it('selects by the parameters that the URL has', () => {
  expect(chosen('source=zh&target=en')).toBe(all[2]);
  expect(chosen('model=b')).toBe(all[1]);
  expect(chosen('source=auto&target=zh')).toBe(all[1]);
  expect(chosen('')).toBe(all[0]);
  expect(chosen('model=c')).toEqual({ model: 'c' });
});

it('selects nothing if the server lacks the direction', () => {
  expect(chosen('source=fr')).toBeUndefined();
});
