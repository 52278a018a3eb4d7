// A command of heed run inside the test's own process, with what it prints caught.

import { Command } from 'commander';
import { vi } from 'vitest';

export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** @throws HeedError as the command does; the command line would print it as one line */
export async function runCommand(
  addCommand: (program: Command) => void,
  args: readonly (string | number)[],
): Promise<Printed> {
  const program = new Command('heed').exitOverride();
  addCommand(program);
  const written = { stdout: '', stderr: '' };
  const capture = (name: keyof Printed) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text);
      return true;
    });
  const captures = [capture('stdout'), capture('stderr')];
  try {
    await program.parseAsync(args.map(String), { from: 'user' });
  } finally {
    for (const one of captures) one.mockRestore();
  }
  return written;
}
