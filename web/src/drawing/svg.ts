// A figure as the text of an SVG file.

import { type Figure, fontFamily, type Label, type Rectangle, type Segment, type Shape } from './figure.ts';

export function svgOf({ width, height, background, title, shapes }: Figure): string {
  const size = `width="${number(width)}" height="${number(height)}" viewBox="0 0 ${number(width)} ${number(height)}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" font-family="${escaped(fontFamily)}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" fill="${background}"/>`,
    ...shapes.map(element),
    '</svg>',
  ].join('\n');
}

/** Text that may stand between tags and in quoted attributes; what XML forbids becomes U+FFFD. */
export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`).replace(forbidden, '\ufffd');
}

/** Control characters and halves of surrogate pairs, which no XML document may contain. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function element(shape: Shape): string {
  switch (shape.kind) {
    case 'rectangle':
      return rectangle(shape);
    case 'segment':
      return segment(shape);
    case 'label':
      return label(shape);
    case 'group':
      return `<g class="${escaped(shape.name)}">\n${shape.shapes.map(element).join('\n')}\n</g>`;
  }
}

function rectangle({ x, y, width, height, fill, opacity, title }: Rectangle): string {
  const place = `x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}"`;
  const open = `<rect ${place} fill="${fill}"${opacityOf(opacity)}`;
  return title === undefined ? `${open}/>` : `${open}><title>${escaped(title)}</title></rect>`;
}

function segment({ from, to, stroke, opacity, width = 1 }: Segment): string {
  const ends = `x1="${number(from[0])}" y1="${number(from[1])}" x2="${number(to[0])}" y2="${number(to[1])}"`;
  return `<line ${ends} stroke="${stroke}" stroke-width="${number(width)}"${opacityOf(opacity)}/>`;
}

function label({ x, y, text, fill, size, anchor = 'start', turn }: Label): string {
  const turned = turn === undefined ? '' : ` transform="rotate(${number(turn)} ${number(x)} ${number(y)})"`;
  const place = `x="${number(x)}" y="${number(y)}" dominant-baseline="central" text-anchor="${anchor}"`;
  return `<text ${place} font-size="${number(size)}" fill="${fill}"${turned}>${escaped(text)}</text>`;
}

function opacityOf(opacity: number | undefined): string {
  return opacity === undefined || opacity === 1 ? '' : ` opacity="${number(opacity)}"`;
}

/** Three decimals at most. */
function number(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
