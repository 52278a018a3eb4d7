// The command line as a process of its own, from the sources as they stand: transpiled into a temporary folder.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));

export interface CommandLine {
  /** The package: dist, package.json, no models. */
  readonly folder: string;
  /** Starts `heed …`. */
  start(...args: string[]): ChildProcessWithoutNullStreams;
  remove(): void;
}

export function transpileCommandLine(): CommandLine {
  const folder = mkdtempSync(join(tmpdir(), 'heed-command-line-'));
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  for (const name of sources.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))) {
    const { outputText } = ts.transpileModule(readFileSync(join(root, 'src', name), 'utf8'), {
      compilerOptions: {
        target: ts.ScriptTarget.ES2023,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
        rewriteRelativeImportExtensions: true,
      },
    });
    const path = join(folder, 'dist', name.replace(/ts$/, 'js'));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, outputText);
  }
  writeFileSync(join(folder, 'package.json'), readFileSync(join(root, 'package.json')));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    start: (...args) => spawn(process.execPath, [join(folder, 'dist/cli/main.js'), ...args]),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** The complete output of a stream. */
export async function allOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
