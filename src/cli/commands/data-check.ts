// heed data check: reports problems of a parallel corpus line by line, and writes the pairs without any.

import type { Command } from 'commander';
import { z } from 'zod';
import { parseOptions } from '../../base/options.ts';
import { checkCorpus, readPairs } from '../../data/index.ts';
import { cleanedPaths, writeSoundPairs } from '../files/data-check-output.ts';
import { addFlags, flagValues } from '../options/flags.ts';
import { checkReport, formatReport } from '../print/data-check-report.ts';
import { note, print } from '../print/terminal.ts';

const checkOptions = z.strictObject({
  examples: z.number().int().nonnegative().default(3).describe('Lines shown of each finding.'),
  strict: z.boolean().default(false).describe('End with exit code 1 if there is a finding.'),
  json: z.boolean().default(false).describe('Print the report as JSON, with the numbers of all lines concerned.'),
});

interface Files {
  readonly source: string;
  readonly target: string;
  readonly output?: string;
}

export function addDataCommand(program: Command): void {
  const data = program.command('data').description('Commands for parallel text.');
  const check = data
    .command('check')
    .description('Find the lines of a parallel corpus that a model should not learn from.')
    .requiredOption('--source <file>', 'Sentences of one language, a line each; may be .gz.')
    .requiredOption('--target <file>', 'Their translations, line by line.')
    .option(
      '--output <prefix>',
      'Write the pairs without a finding: clean gives clean.en and clean.de of a.en and b.de.',
    );
  addFlags(check, checkOptions.shape);
  check.action(async (files: Files) => {
    const options = parseOptions(checkOptions, flagValues(checkOptions.shape, { ...files }), 'data check');
    await checkData(files, options);
  });
}

async function checkData(files: Files, options: z.output<typeof checkOptions>): Promise<void> {
  const { examples, strict, json } = options;
  // Checked first, so that an unusable name is reported at once.
  const outputs = files.output === undefined ? undefined : await cleanedPaths(files, files.output);
  const check = await checkCorpus(readPairs(files));
  const report = await checkReport(readPairs(files), check, examples);
  if (json) await print(JSON.stringify(report, undefined, 2));
  else for (const line of formatReport(report)) await print(line);
  if (outputs !== undefined) {
    await writeSoundPairs(files, check, outputs);
    note(`${report.soundPairs} pairs without a finding are in ${outputs.source} and ${outputs.target}`);
  }
  if (strict && report.soundPairs < report.pairs) process.exitCode = 1;
}
