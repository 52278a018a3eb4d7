import { describe, expect, it } from 'vitest';
import { textWidth } from './figure.ts';
import { escaped, svgOf } from './svg.ts';

describe('svgOf', () => {
  const svg = svgOf({
    width: 100,
    height: 50.12345,
    background: '#fff',
    title: 'a < b & "c"',
    shapes: [
      { kind: 'rectangle', x: 1, y: 2, width: 3, height: 4, fill: '#000', opacity: 0.25, title: '<script>' },
      { kind: 'label', x: 5, y: 6, text: '</s>', fill: '#111', size: 12, anchor: 'end', turn: -90 },
      { kind: 'group', name: 'head-2', shapes: [{ kind: 'segment', from: [0, 0], to: [1, 1], stroke: 'red' }] },
    ],
  });

  it('writes every shape', () => {
    expect(svg).toContain('<rect x="1" y="2" width="3" height="4" fill="#000" opacity="0.25">');
    expect(svg).toContain('transform="rotate(-90 5 6)"');
    expect(svg).toContain(
      '<g class="head-2">\n<line x1="0" y1="0" x2="1" y2="1" stroke="red" stroke-width="1"/>\n</g>',
    );
    expect(svg).toContain('viewBox="0 0 100 50.123"');
  });

  it('lets no text become markup', () => {
    expect(svg).not.toContain('<script>');
    expect(svg).not.toContain('</s>');
    expect(svg).toContain('<title>a &#60; b &#38; &#34;c&#34;</title>');
  });

  it('leaves out what XML forbids', () => {
    expect(escaped('a\u0000b\ud800c\u{1f600}\n')).toBe('a\ufffdb\ufffdc\u{1f600}\n');
  });
});

describe('textWidth', () => {
  it('counts wide characters as squares and combining marks as nothing', () => {
    expect(textWidth('ab', 10)).toBe(12);
    expect(textWidth('一只', 10)).toBe(20);
    expect(textWidth('e\u0301', 10)).toBe(6);
  });
});
