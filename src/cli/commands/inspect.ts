// heed inspect: what the model looks at, as a heat map or as the whole trace in JSON.

import type { Command } from 'commander';
import { z } from 'zod';
import { HeedError } from '../../base/error.ts';
import { kebab, parseOptions } from '../../base/options.ts';
import { searchOptions } from '../../generate/index.ts';
import type { TensorChoice } from '../../translate/index.ts';
import { Translator } from '../../translate/node.ts';
import { bundledDefault, modelsOrBundled } from '../options/bundled-model.ts';
import { addFlags, flagValues } from '../options/flags.ts';
import { directionFlags } from '../options/translate-flags.ts';
import { drawAttention } from '../print/attention-map.ts';
import { oneLine } from '../print/output.ts';
import { print } from '../print/terminal.ts';

const mapFlags = {
  kind: z
    .enum(['cross', 'encoder', 'decoder'])
    .optional()
    .describe('Attention of the decoder to the source, or self-attention of one side (default: cross).'),
  layer: z.number().optional().describe('Layer, from 0 (default: of cross the one that aligns, else the last).'),
  head: z.number().optional().describe('Head, from 0 (default: the mean of all).'),
};

const traceFlags = {
  tensors: z
    .string()
    .optional()
    .describe('Of --json: intermediate results: none, all, or a layer from 0 of both sides (default: none).'),
  search: z.boolean().optional().describe('Of --json: the beam search for the model’s own translation, as a tree.'),
  candidates: z.number().optional().describe('Of --json: most probable tokens at each position (default: 5).'),
  arrays: z
    .enum(['numbers', 'base64'])
    .optional()
    .describe('Of --json: arrays as lists of numbers, or as base64 of float32 (default: numbers).'),
};

const inspectFlags = z.strictObject({
  ...directionFlags,
  beam: searchOptions.beam,
  lengthPenalty: searchOptions.lengthPenalty,
  maxLength: searchOptions.maxLength,
  ...mapFlags,
  json: z.boolean().optional().describe('Print the trace, as docs/trace.md describes it, instead of a picture.'),
  ...traceFlags,
});

type InspectFlags = z.output<typeof inspectFlags>;

export function addInspectCommand(program: Command): void {
  const command = program
    .command('inspect')
    .description(
      'Show what the model looks at when it translates a text: a heat map of attention, or all of it as JSON.',
    )
    .argument('<text>', 'What to translate.')
    .argument('[translation]', 'The translation to read; default: the model’s own.')
    .option('--model <folder>', `Folder of the model ${bundledDefault}.`);
  addFlags(command, inspectFlags.shape);
  command.action(async (text: string, translation: string | undefined, given: { model?: string }) => {
    const flags = parseOptions(inspectFlags, flagValues(inspectFlags.shape, { ...given }), 'inspect');
    refuseContradictions(flags);
    const [model] = await modelsOrBundled(given.model === undefined ? undefined : [given.model]);
    await inspect({ model, text, translation }, flags);
  });
}

interface Inspected {
  readonly model: string;
  readonly text: string;
  readonly translation: string | undefined;
}

async function inspect({ model, text, translation }: Inspected, flags: InspectFlags): Promise<void> {
  const { kind = 'cross', layer, head, json, tensors, ...options } = flags;
  const translator = await Translator.load(model);
  const trace = await translator.trace(text, { ...options, tensors: tensorChoice(tensors), translation });
  if (json) {
    await print(JSON.stringify(trace));
    return;
  }
  const { isTTY = false, columns } = process.stdout;
  const picture = drawAttention(trace, { kind, layer, head }, { colour: isTTY, columns });
  const total = trace.target.predictions.reduce((sum, { next }) => sum + next.logProbability, 0);
  const whose = translation === undefined ? 'the model’s own' : 'as given';
  await print(oneLine(trace.source.text));
  await print(`→ ${oneLine(trace.target.text)} (${whose}, log-probability ${total.toFixed(3)})`);
  for (const line of picture) await print(line);
}

function tensorChoice(text: string | undefined): TensorChoice | undefined {
  if (text === undefined || text === 'none' || text === 'all') return text;
  if (/^\d+$/.test(text)) return Number(text);
  throw new HeedError('--tensors', `must be none, all or the number of a layer, got ${JSON.stringify(text)}.`);
}

function refuseContradictions(flags: InspectFlags): void {
  const given = (part: object) => Object.keys(part).find((key) => flags[key as keyof InspectFlags] !== undefined);
  const [ofTrace, ofMap] = [given(traceFlags), given(mapFlags)];
  if (!flags.json && ofTrace !== undefined)
    throw new HeedError(`--${kebab(ofTrace)}`, `needs --json; add it or leave out --${kebab(ofTrace)}.`);
  if (flags.json && ofMap !== undefined)
    throw new HeedError(`--${kebab(ofMap)}`, 'is for the picture; JSON holds every layer and head, so leave it out.');
}
