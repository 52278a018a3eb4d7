// heed demo: learns to read dates in twelve languages, within minutes and without any download.

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { parseOptions } from '../../base/options.ts';
import { datesSplit, type NumberedPair, type TextPair, textHash } from '../../data/index.ts';
import { exactMatch } from '../../metrics/index.ts';
import { type Corpus, prepareTranslation, type RunHooks, translationRecipe } from '../../tasks/index.ts';
import { Translator } from '../../translate/node.ts';
import { drawHeatMap } from '../print/heat-map.ts';
import { note, print } from '../print/terminal.ts';
import { trainReported } from '../train-reported.ts';

const examples = ['3. März 2021', '2021年3月3日', 'mercredi 3 mars 2021', 'Saturday, December 25th, 1999'];

/** Maximum length of a date in pieces, its end included: a model that has hardly learned would not stop. */
const maxLength = 16;

/** Decoder layer whose attention is drawn: the last but one reads the source most plainly. */
const DRAWN_LAYER = 1;

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('Learn to read dates in twelve languages, translate some and show what the model looks at.')
    .option('--model <folder>', 'Folder of the model; default: a temporary one.')
    .option('--short', 'Train for seconds only, to see that everything runs.', false)
    .action(async (given: { model?: string; short: boolean }) => {
      const folder = given.model ?? (await mkdtemp(join(tmpdir(), 'heed-demo-')));
      await demo(folder, given.short);
    });
}

async function demo(folder: string, short: boolean): Promise<void> {
  const trainCount = short ? 3000 : 40_000;
  const { train: pairs, test } = datesSplit({ trainCount, testCount: 1000, seed: 1 });
  note('Dates as people write them in twelve languages → ISO 8601:');
  for (const { source, target } of pairs.slice(0, 3)) note(`  ${source} → ${target}`);
  const recipe = demoRecipe(short);
  const data = { corpora: [corpusOf('dates', pairs)], validation: undefined };
  const prepare = (hooks: RunHooks) => prepareTranslation({ recipe, folder, hooks }, data);
  await trainReported({ folder, prepare }, recipe);

  const translator = await Translator.load(folder, { attentionLayer: DRAWN_LAYER });
  const answers = await translator.translate(
    test.map(({ source }) => source),
    { beam: 1, maxLength },
  );
  const { score } = exactMatch(answers, [test.map(({ target }) => target)]);
  await print(`${score.toFixed(1)} % of ${test.length} dates on days it has never seen are exactly right`);
  for (const source of examples) await print(`  ${source} → ${await translator.translate(source, { maxLength })}`);
  await draw(translator, examples[2]);
  await print(`The model is in ${folder}. Try: echo "4 juillet 1976" | npx heed translate --model ${folder}`);
}

function demoRecipe(short: boolean) {
  const options = {
    source: 'dates',
    target: 'dates',
    merges: 300,
    maxRatio: 20,
    dModel: 128,
    dInner: 256,
    heads: 4,
    encoderLayers: 2,
    decoderLayers: 2,
    dropout: 0.1,
    schedule: 'inverse-sqrt',
    peakRate: 2e-3,
    warmupSteps: 200,
    maxTokens: 2048,
    logEvery: 50,
    epochs: short ? 1 : 4,
    averageLast: 1,
    seed: 1,
  };
  return parseOptions(translationRecipe, options, 'demo');
}

function corpusOf(name: string, pairs: readonly TextPair[]): Corpus {
  async function* each<T>(item: (pair: TextPair, i: number) => T): AsyncGenerator<T> {
    for (const [i, pair] of pairs.entries()) yield item(pair, i);
  }
  return {
    name,
    sourceLines: () => each(({ source }) => source),
    targetLines: () => each(({ target }) => target),
    pairs: () => each((pair, i): NumberedPair => ({ ...pair, line: i + 1 })),
    hashes: async () => [
      { role: name, path: name, sha256: textHash(...pairs.flatMap(({ source, target }) => [source, target])) },
    ],
  };
}

async function draw(translator: Translator, source: string): Promise<void> {
  const [{ sourcePieces, translations }] = await translator.translateAll([source], {
    beam: 1,
    maxLength,
    attention: true,
  });
  const [{ pieces, attention = [] }] = translations;
  await print(
    `What each piece of the answer looks at (cross-attention, decoder layer ${DRAWN_LAYER + 1}, mean of heads):`,
  );
  const map = { rows: pieces, columns: sourcePieces, values: attention };
  for (const line of drawHeatMap(map, { colour: process.stdout.isTTY === true })) await print(`  ${line}`);
}
