// A figure painted on a canvas, and as the bytes of a PNG file.

import { type Figure, fontFamily, type Label, type Shape } from './figure.ts';

/** @param scale pixels of the canvas for each unit of the figure */
function paint(canvas: HTMLCanvasElement, figure: Figure, scale: number): void {
  canvas.width = Math.round(figure.width * scale);
  canvas.height = Math.round(figure.height * scale);
  const context = canvas.getContext('2d');
  if (!context) return;
  context.scale(scale, scale);
  context.fillStyle = figure.background;
  context.fillRect(0, 0, figure.width, figure.height);
  for (const shape of figure.shapes) paintShape(context, shape);
}

export function pngOf(figure: Figure): Promise<Blob | undefined> {
  const canvas = document.createElement('canvas');
  // Twice the size for print, within the largest canvas that all browsers support.
  const scale = Math.min(2, 8192 / Math.max(figure.width, figure.height));
  paint(canvas, figure, scale);
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/png'));
}

function paintShape(context: CanvasRenderingContext2D, shape: Shape): void {
  switch (shape.kind) {
    case 'rectangle':
      context.globalAlpha = shape.opacity ?? 1;
      context.fillStyle = shape.fill;
      context.fillRect(shape.x, shape.y, shape.width, shape.height);
      break;
    case 'segment':
      context.globalAlpha = shape.opacity ?? 1;
      context.strokeStyle = shape.stroke;
      context.lineWidth = shape.width ?? 1;
      context.beginPath();
      context.moveTo(...shape.from);
      context.lineTo(...shape.to);
      context.stroke();
      break;
    case 'label':
      paintLabel(context, shape);
      break;
    case 'group':
      for (const inner of shape.shapes) paintShape(context, inner);
      break;
  }
}

function paintLabel(context: CanvasRenderingContext2D, { x, y, text, fill, size, anchor, turn }: Label): void {
  context.save();
  context.globalAlpha = 1;
  context.translate(x, y);
  if (turn !== undefined) context.rotate((turn * Math.PI) / 180);
  context.font = `${size}px ${fontFamily}`;
  context.fillStyle = fill;
  context.textBaseline = 'middle';
  context.textAlign = anchor === 'middle' ? 'center' : (anchor ?? 'start');
  context.fillText(text, 0, 0);
  context.restore();
}
