import { describe, expect, it } from 'vitest';
import { ApiKeys, keyOf } from './api-keys.ts';

describe('ApiKeys', () => {
  it('knows keys and their limits', () => {
    const keys = ApiKeys.parse('# team\r\nalpha 30\n\n beta\n', 'keys');
    expect(() => keys.check('alpha')).not.toThrow();
    expect([keys.limitOf('alpha'), keys.limitOf('beta')]).toEqual([30, undefined]);
    expect(() => keys.check('gamma')).toThrow(expect.objectContaining({ statusCode: 403, message: 'Invalid API key' }));
    expect(() => keys.check(undefined)).toThrow(expect.objectContaining({ statusCode: 400 }));
  });

  it.each(['a b', 'a 0', 'a -1', 'a 1.5', 'a 1 2'])('refuses the line %s', (line) => {
    expect(() => ApiKeys.parse(`ok\n${line}`, 'keys')).toThrow('keys, line 2: must be KEY or KEY REQUESTS-PER-MINUTE');
  });

  it('refuses a file without keys, or that cannot be read', async () => {
    expect(() => ApiKeys.parse('# nothing\n', 'keys')).toThrow('keys: must hold at least one key');
    await expect(ApiKeys.load('/nowhere/keys')).rejects.toThrow('/nowhere/keys: cannot be read: there is no such file');
  });
});

describe('keyOf', () => {
  it('finds the key in the body or the header', () => {
    expect(keyOf({ body: { api_key: 'a' }, headers: { authorization: 'Bearer b' } })).toBe('a');
    expect(keyOf({ body: { api_key: null }, headers: { authorization: 'bearer b' } })).toBe('b');
    expect(keyOf({ body: undefined, headers: { authorization: 'Basic b' } })).toBeUndefined();
    expect(keyOf({ body: { api_key: '' }, headers: {} })).toBeUndefined();
  });
});
