import { describe, expect, it } from 'vitest';
import { mainScript } from './script.ts';

describe('mainScript', () => {
  it('is that of four fifths of the letters', () => {
    expect(mainScript('Yeşilgöz, größer')).toBe('Latin');
    expect(mainScript('собака на улице Bel')).toBe('Cyrillic');
    expect(mainScript('в Windows')).toBe('Latin');
    expect(mainScript('カタカナとひらがなと漢字')).toBe('Han or kana');
    expect(mainScript('안녕하세요')).toBe('Hangul');
    expect(mainScript('שלום עולם 123')).toBe('Hebrew');
    expect(mainScript('ᚠᚢᚦᚨᚱᚲ')).toBe('another script');
  });

  it('is undefined for texts with few letters or several scripts', () => {
    for (const text of ['', '123 + 4567 = 4690', 'NATO', 'слово words', '我用Twitter。'])
      expect(mainScript(text)).toBeUndefined();
  });
});
