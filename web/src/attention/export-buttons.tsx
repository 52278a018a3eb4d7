// Saves the picture on the screen as SVG, PNG, JSON, or as one HTML file that works offline.

import { useState } from 'preact/hooks';
import type { Trace } from '../../../src/translate/index.ts';
import { Notice } from '../design/notice.tsx';
import { pngOf } from '../drawing/paint.ts';
import { save } from '../drawing/save.ts';
import { svgOf } from '../drawing/svg.ts';
import { dataOf, figureOf, htmlOf } from './picture.ts';
import type { AttentionState } from './state.ts';
import { words } from './words.ts';

const formats = ['svg', 'png', 'json', 'html'] as const;

type Format = (typeof formats)[number];

export function ExportButtons({ trace, state }: { readonly trace: Trace; readonly state: AttentionState }) {
  const [hasFailed, setHasFailed] = useState(false);
  const saveAs = async (format: Format) => {
    const content = await contentOf(format, trace, state);
    setHasFailed(content === undefined);
    if (content !== undefined) save(content, `${fileName(state)}.${format}`);
  };
  return (
    <div class="export-buttons">
      <span class="hint">{words.value.export}</span>
      {formats.map((format) => (
        <button key={format} type="button" class="quiet" onClick={() => saveAs(format)}>
          {format.toUpperCase()}
        </button>
      ))}
      {hasFailed && <Notice>{words.value.exportFailed}</Notice>}
    </div>
  );
}

async function contentOf(format: Format, trace: Trace, state: AttentionState): Promise<Blob | undefined> {
  switch (format) {
    case 'svg':
      return new Blob([svgOf(figureOf(trace, state))], { type: 'image/svg+xml' });
    case 'png':
      return pngOf(figureOf(trace, state));
    case 'json':
      return new Blob([`${JSON.stringify(dataOf(trace, state))}\n`], { type: 'application/json' });
    case 'html':
      return new Blob([htmlOf(trace, state)], { type: 'text/html' });
  }
}

/** attention-cross-layer-5-head-3 */
function fileName({ kind, layer, head, view }: AttentionState): string {
  return ['attention', kind, `layer-${layer + 1}`, view === 'map' ? `head-${head + 1}` : 'lines'].join('-');
}
