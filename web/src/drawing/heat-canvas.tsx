// A canvas with one pixel for each number, scaled by CSS. Its content is described in words beside it.

import type { CSSProperties } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { appearance } from './appearance.ts';
import { divergingScale, type Scale, sequentialScale } from './colour.ts';
import { heatPixels } from './heat-pixels.ts';

const scales = {
  weights: { light: sequentialScale('light'), dark: sequentialScale('dark') },
  numbers: { light: divergingScale('light'), dark: divergingScale('dark') },
};

/** `weights` are 0 or more; `numbers` may be negative too. */
export type HeatKind = keyof typeof scales;

/** The colours of a kind in the current theme. */
export function scaleOf(kind: HeatKind): Scale {
  return scales[kind][appearance.value];
}

interface HeatCanvasProps {
  readonly values: readonly ArrayLike<number>[];
  readonly kind: HeatKind;
  readonly range: readonly [low: number, high: number];
  readonly style?: CSSProperties;
}

export function HeatCanvas({ values, kind, range, style }: HeatCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scale = scaleOf(kind);
  const [low, high] = range;
  useLayoutEffect(() => {
    const columns = values[0]?.length ?? 0;
    if (canvas.current === null || columns === 0) return;
    canvas.current.width = columns;
    canvas.current.height = values.length;
    const pixels = new ImageData(heatPixels(values, { scale, range: [low, high] }), columns, values.length);
    canvas.current.getContext('2d')?.putImageData(pixels, 0, 0);
  }, [values, scale, low, high]);
  return <canvas ref={canvas} class="heat-canvas" style={style} />;
}
