// The cleaned pair of files that `heed data check --output` writes; never over what it reads.

import { rename, rm, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { HeedError } from '../../base/error.ts';
import { type CorpusCheck, readPairs, soundPairs } from '../../data/index.ts';
import { type Output, withOutput } from '../print/output.ts';

export interface PairOfFiles {
  readonly source: string;
  readonly target: string;
}

/**
 * The prefix with the endings of the inputs: `train.en.gz`, `train.de` and `clean` give `clean.en` and `clean.de`. Inputs
 * without endings of their own give `.source` and `.target`.
 * @throws HeedError if an output is an input, under whatever name
 */
export async function cleanedPaths(inputs: PairOfFiles, prefix: string): Promise<PairOfFiles> {
  const [source, target] = [inputs.source, inputs.target].map((path) => extname(path.replace(/\.gz$/, '')));
  const apart = source !== '' && target !== '' && source !== target;
  const outputs = { source: prefix + (apart ? source : '.source'), target: prefix + (apart ? target : '.target') };
  for (const output of [outputs.source, outputs.target]) {
    for (const input of [inputs.source, inputs.target]) {
      if (!(await isSameFile(output, input))) continue;
      throw new HeedError('--output', `must not write over an input, got ${output}; choose another prefix.`);
    }
  }
  return outputs;
}

/** Links included. A file that is missing is the same as no other. */
async function isSameFile(first: string, second: string): Promise<boolean> {
  const [one, other] = await Promise.all([first, second].map((path) => stat(path).catch(() => undefined)));
  return one !== undefined && other !== undefined && one.dev === other.dev && one.ino === other.ino;
}

/** Writes under temporary names first, so that a stopped run leaves no pair of files that looks whole. */
export async function writeSoundPairs(inputs: PairOfFiles, check: CorpusCheck, outputs: PairOfFiles): Promise<void> {
  const partial = { source: `${outputs.source}.partial`, target: `${outputs.target}.partial` };
  const writePairs = async (sources: Output, targets: Output) => {
    for await (const { source, target } of soundPairs(readPairs(inputs), check)) {
      await sources.write(`${source}\n`);
      await targets.write(`${target}\n`);
    }
  };
  try {
    await withOutput(partial.source, (sources) =>
      withOutput(partial.target, (targets) => writePairs(sources, targets)),
    );
    await rename(partial.source, outputs.source);
    await rename(partial.target, outputs.target);
  } finally {
    for (const path of Object.values(partial)) await rm(path, { force: true });
  }
}
