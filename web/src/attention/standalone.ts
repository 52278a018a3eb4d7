// A picture as one HTML file that needs neither network nor script: heads are toggled by check boxes and CSS alone, and the
// numbers are embedded as JSON.

import { css } from '../drawing/colour.ts';
import type { Figure } from '../drawing/figure.ts';
import { escaped, svgOf } from '../drawing/svg.ts';
import type { AttentionData } from './attention-data.ts';
import type { Inks } from './figures.ts';

interface StandaloneWords {
  readonly title: string;
  readonly head: (head: number) => string;
  readonly heatMap: string;
  readonly lines: string;
}

export interface StandaloneParts {
  readonly data: AttentionData;
  readonly lines: Figure;
  /** Of each head in `data`. */
  readonly heatMaps: readonly Figure[];
  readonly inks: Inks;
  readonly words: StandaloneWords;
}

export function standaloneHtml({ data, lines, heatMaps, inks, words }: StandaloneParts): string {
  const heads = data.heads.map(({ head }) => head);
  const hiding = heads.map((head) => `body:not(:has(#show-${head}:checked)) .head-${head}{display:none}`);
  const boxes = heads.map((head) => {
    const colour = css(inks.heads[head - 1]);
    return `<label style="border-color:${colour}"><input type="checkbox" id="show-${head}" checked> ${escaped(words.head(head))}</label>`;
  });
  const maps = heatMaps.map((figure, i) => {
    const name = escaped(words.head(heads[i]));
    return `<details class="head-${heads[i]}"${i === 0 ? ' open' : ''}><summary>${name}</summary>${svgOf(figure)}</details>`;
  });
  const description = [data.model, data.attention, `layer ${data.layer}`, `τ = ${data.temperature}`].join(' · ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(words.title)}</title>
<style>
body{margin:2rem;background:${inks.paper};color:${inks.ink};font:15px/1.5 system-ui,sans-serif}
label{display:inline-block;margin:0 .5rem .5rem 0;padding:.2rem .6rem;border:1px solid;border-left-width:6px;border-radius:4px}
.scroll,details{overflow-x:auto}
summary{cursor:pointer}
${hiding.join('\n')}
</style>
</head>
<body>
<h1>${escaped(words.title)}</h1>
<p>${escaped(description)}</p>
<h2>${escaped(words.lines)}</h2>
<p>${boxes.join('\n')}</p>
<div class="scroll">
${svgOf(lines)}
</div>
<h2>${escaped(words.heatMap)}</h2>
${maps.join('\n')}
<script type="application/json" id="data">${JSON.stringify(data).replace(/</g, '\\u003c')}</script>
</body>
</html>
`;
}
