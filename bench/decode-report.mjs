// The figures of bench/decode.mjs as a page of text.

const percent = (share) => `${(100 * share).toFixed(0)} %`;
const rate = (number) => number.toFixed(number < 100 ? 1 : 0);
const ratio = (number) => number.toFixed(2);

const columns = [
  { title: 'model', of: ({ model }) => model },
  { title: 'precision', of: ({ precision }) => precision },
  { title: 'threads', of: ({ threads }) => threads },
  { title: 'batches at once', of: ({ workers }) => workers },
  { title: 'batch', of: ({ batch }) => batch },
  { title: 'beam', of: ({ beam }) => beam },
  { title: 'sentences/s', of: ({ sentencesPerSecond }) => rate(sentencesPerSecond) },
  { title: 'tokens/s', of: ({ tokensPerSecond }) => rate(tokensPerSecond) },
  { title: 'outside run', of: ({ outside }) => percent(outside) },
];
const peerColumns = [
  { title: 'CTranslate2', of: ({ peerTokensPerSecond }) => rate(peerTokensPerSecond) },
  { title: 'heed / CTranslate2', of: (speed) => ratio(speed.ratio) },
  { title: 'same sentences', of: ({ agreement }) => percent(agreement) },
  { title: 'score Δ', of: ({ scoreDifference }) => scoreDifference.toExponential(0) },
];

export function printReport({ origin, clock, rounds, speeds, growths, missed }) {
  const isCompared = speeds.some(({ ratio }) => ratio !== undefined);
  printTable(isCompared ? [...columns, ...peerColumns] : columns, speeds);
  console.log(`\nSentences: ${origin}. Medians of ${rounds} rounds, ${clock} time.`);
  for (const { model, threads, seconds, growth, peerGrowth } of growths) {
    const times = seconds.map((time) => `${time.toFixed(2)} s`).join(' and ');
    const peer = peerGrowth === undefined ? '' : `, CTranslate2 × ${ratio(peerGrowth)}`;
    console.log(
      `Outputs of 100 and 200 tokens (${model}, threads ${threads}, beam 4): ${times}, × ${ratio(growth)}${peer}.`,
    );
  }
  console.log(missed.length === 0 ? 'Every floor is kept.' : ['Missed:', ...missed].join('\n  '));
}

function printTable(columns, records) {
  const rows = [
    columns.map(({ title }) => title),
    ...records.map((record) => columns.map(({ of }) => `${of(record)}`)),
  ];
  const widths = columns.map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  for (const row of rows) console.log(row.map((cell, i) => cell.padStart(widths[i])).join('  '));
}
