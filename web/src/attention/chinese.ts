// Words of the attention view, in Chinese.

import type { english } from './english.ts';

export const chinese: typeof english = {
  title: '注意力',
  intro:
    '这里是你的句子在每一层、每个头中的注意力。行是正在“看”的词元，列是被看的词元；颜色越强，该头从那里取的信息越多。',
  kind: '注意力种类',
  kinds: { encoder: '编码器', decoder: '解码器', cross: '交叉' },
  kindHints: {
    encoder: '编码器自注意力：源句词元看源句词元（第 3.2.3 节）。',
    decoder: '解码器的掩码自注意力：译文的每个词元只看自己和前面的词元（第 3.2.3 节）。',
    cross: '编码器–解码器注意力：译文词元看源句（第 3.2.3 节）。',
  },
  view: '视图',
  views: { map: '热图', columns: '连线', rows: '论文式连线' },
  layer: (layer) => `第 ${layer} 层`,
  head: (head) => `头 ${head}`,
  headGrid: '所有层的所有头',
  headGridHint: '选择一个可放大。下方横条表示熵：横条越短，该头越清楚要看哪里。',
  thumbnail: (layer, head, bits) => `第 ${layer} 层，头 ${head}，熵 ${bits} 比特`,
  temperature: '温度 τ',
  temperatureHint:
    '由权重直接算出 softmax(z/τ)：pᵢ^(1/τ) / Σⱼ pⱼ^(1/τ)。小于 1 时更集中，大于 1 时更分散。它只改变图，不改变译文。',
  reset: '复位',
  special: '特殊词元',
  specialHint: '隐藏的词元仍占其份额，因此行和会小于 1。',
  export: '保存为',
  exportFailed: '无法保存图片。',
  cell: (row, column, weight) => `${row} 看 ${column}：${weight}`,
  heatMapLabel: (layer, head, rows, columns) =>
    `第 ${layer} 层，头 ${head}：${rows} 个词元看 ${columns} 个词元。用方向键逐格移动，按回车只看该行的词。`,
  pointAt: '把指针移到某个格子上，或用方向键移动。',
  looksAt: '看',
  rowSum: '行和',
  sum: 'Σ',
  entropyBits: (bits, tokens) => `熵 ${bits} 比特（相当于 ${tokens} 个词元平分）`,
  entropy: '熵',
  bits: '比特',
  heads: '头',
  headsHint: '单击开关一个头；双击或 Shift+回车只显示它。',
  looking: '看',
  lookedAt: '被看',
  lineViewLabel: (row, lines) =>
    row === undefined ? `${lines} 条注意力连线` : `从 ${row} 出发的 ${lines} 条注意力连线`,
  wordsHint: '在“看”的一侧选择一个词，只显示它的连线。',
  noHeads: '所有头都已关闭。',
  asTable: '以表格显示数字',
  tableCaption: (layer, head) => `第 ${layer} 层头 ${head} 的注意力权重：行看列。`,
  figures: '论文附录的图',
  figureNames: ['图 3：一个词，所有头', '图 4：一个头，所有词', '图 4：两个头，一个词', '图 5：另一个头，所有词'],
};
