// heed translate: lines in, translations out, in the same order.

import type { Command } from 'commander';
import { parseOptions } from '../../base/options.ts';
import { readTextFile } from '../../data/index.ts';
import { readLines } from '../../text/index.ts';
import type { TranslatedLine, TranslateOptions } from '../../translate/index.ts';
import { Translator, TranslatorPool } from '../../translate/node.ts';
import { bundledDefault, modelsOrBundled } from '../options/bundled-model.ts';
import { addFlags, flagValues } from '../options/flags.ts';
import { type TranslateFlags, translateFlags, translateOptions } from '../options/translate-flags.ts';
import { type Output, oneLine, withOutput } from '../print/output.ts';
import { note } from '../print/terminal.ts';
import { formatLine } from '../print/translation-format.ts';

interface Files {
  /** Several translate as an ensemble. */
  readonly model: readonly string[];
  readonly input: string;
  readonly output: string;
}

export function addTranslateCommand(program: Command): void {
  const command = program
    .command('translate')
    .description('Translate lines; output line i belongs to input line i.')
    .option(
      '--model <folder...>',
      `Folder of the model; several with one tokenizer translate as an ensemble ${bundledDefault}.`,
    )
    .option('--input <file>', 'File to translate; - is standard input.', '-')
    .option('--output <file>', 'File to write; - is standard output.', '-');
  addFlags(command, translateFlags.shape);
  command.action(async (given: Omit<Files, 'model'> & { model?: readonly string[] }) => {
    const flags = parseOptions(translateFlags, flagValues(translateFlags.shape, { ...given }), 'translate');
    await translate({ ...given, model: await modelsOrBundled(given.model) }, flags);
  });
}

async function translate({ model, input, output }: Files, flags: TranslateFlags): Promise<void> {
  const options = await translateOptions(flags);
  const lines = input === '-' ? readLines(process.stdin) : readTextFile(input);
  const work: Work = { model, lines, options, flags };
  try {
    await withOutput(output, (out) => (flags.stream ? streamLines(work, out) : writeLines(work, out)));
  } finally {
    // Standard input may never end, and the process would wait for it.
    if (input === '-') process.stdin.destroy();
  }
}

interface Work {
  readonly model: readonly string[];
  readonly lines: AsyncIterable<string>;
  readonly options: TranslateOptions;
  readonly flags: TranslateFlags;
}

async function writeLines({ model, lines, options, flags }: Work, output: Output): Promise<void> {
  const { threads: workers, attentionLayer } = flags;
  const pool = new TranslatorPool(model, { workers, attentionLayer });
  try {
    await pool.translateAll([''], options); // refuses unusable models and options before the first line is read
    let index = 0;
    for await (const line of pool.translateLines(lines, options)) {
      warnOfMissingTerms(line, index);
      await output.write(`${formatLine(line, index, flags).join('\n')}\n`);
      index++;
    }
  } finally {
    await pool.release();
  }
}

function warnOfMissingTerms({ translations: [{ missingTerms }] }: TranslatedLine, index: number): void {
  for (const term of missingTerms) note(`warning: line ${index + 1}: the output has no room for “${term}”.`);
}

async function streamLines({ model, lines, options, flags }: Work, output: Output): Promise<void> {
  const { threads, attentionLayer } = flags;
  const translator = await Translator.load(model, { threads, attentionLayer });
  await translator.stream('', options).next(); // refuses unusable options before the first line is read
  let firstLine = 0;
  for await (const line of lines) {
    for await (const text of translator.stream(line, { ...options, firstLine })) await output.write(oneLine(text));
    await output.write('\n');
    firstLine++;
  }
}
