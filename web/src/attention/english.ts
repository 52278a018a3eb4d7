// Texts of the attention view.

export const english = {
  title: 'Attention',
  intro:
    'Every layer and head of your sentence. A row is the token that looks, a column the token it looks at: the stronger the colour, the more of it goes into what the head makes of the row.',
  kind: 'Kind of attention',
  kinds: { encoder: 'Encoder', decoder: 'Decoder', cross: 'Cross' },
  kindHints: {
    encoder: 'Encoder self-attention: source tokens look at source tokens (section 3.2.3).',
    decoder:
      'Masked self-attention of the decoder: each token of the translation looks at itself and at those before it (section 3.2.3).',
    cross: 'Encoder–decoder attention: tokens of the translation look at the source (section 3.2.3).',
  },
  view: 'View',
  views: { map: 'Heat map', columns: 'Lines', rows: 'Lines as in the paper' },
  layer: (layer: number) => `Layer ${layer}`,
  head: (head: number) => `Head ${head}`,
  headGrid: 'All heads of all layers',
  headGridHint: 'Choose one to enlarge it. The bar below is its entropy: short bars are heads that know where to look.',
  thumbnail: (layer: number, head: number, bits: string) => `Layer ${layer}, head ${head}, entropy ${bits} bits`,
  temperature: 'Temperature τ',
  temperatureHint:
    'softmax(z/τ), computed from the weights: pᵢ^(1/τ) / Σⱼ pⱼ^(1/τ). Below 1 the heads decide more sharply, above 1 less. It changes the picture, not the translation.',
  reset: 'Reset',
  special: 'Special tokens',
  specialHint: 'Hidden tokens keep their share: rows then sum to less than 1.',
  export: 'Save as',
  exportFailed: 'The picture could not be saved.',
  cell: (row: string, column: string, weight: string) => `${row} looks at ${column}: ${weight}`,
  heatMapLabel: (layer: number, head: number, rows: number, columns: number) =>
    `Layer ${layer}, head ${head}: ${rows} tokens that look, ${columns} tokens looked at. Arrow keys go from cell to cell, Enter isolates the row's word.`,
  pointAt: 'Point at a cell, or go there with the arrow keys.',
  looksAt: 'looks at',
  rowSum: 'row sum',
  sum: 'Σ',
  entropyBits: (bits: string, tokens: string) => `entropy ${bits} bits (as if ${tokens} tokens shared it)`,
  entropy: 'entropy',
  bits: 'bits',
  heads: 'Heads',
  headsHint: 'Click switches a head; double click, or Shift+Enter, shows it alone.',
  looking: 'looks',
  lookedAt: 'looked at',
  lineViewLabel: (row: string | undefined, lines: number) =>
    row === undefined ? `${lines} lines of attention` : `${lines} lines of attention from ${row}`,
  wordsHint: 'Choose a word on the looking side to see its lines alone.',
  noHeads: 'All heads are switched off.',
  asTable: 'Numbers as a table',
  tableCaption: (layer: number, head: number) =>
    `Attention weights of layer ${layer}, head ${head}: rows look, columns are looked at.`,
  figures: 'Figures of the appendix',
  figureNames: [
    'Figure 3: one word, all heads',
    'Figure 4: one head, all words',
    'Figure 4: two heads, one word',
    'Figure 5: another head, all words',
  ],
};
