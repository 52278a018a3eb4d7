// The command line of heed as a process.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/** Runs a command; its standard output is passed on, or returned if `captured`. Ends this process if the command fails. */
export async function heed(args, { captured = false } = {}) {
  const child = spawn(process.execPath, [main, ...args], {
    stdio: ['ignore', captured ? 'pipe' : 'inherit', 'inherit'],
  });
  const chunks = [];
  child.stdout?.on('data', (chunk) => chunks.push(chunk));
  // Ctrl-C reaches the command too, which saves and says how to resume.
  const wait = () => {};
  process.on('SIGINT', wait);
  const code = await new Promise((resolve) => child.on('close', resolve));
  process.removeListener('SIGINT', wait);
  if (code !== 0) process.exit(code ?? 1);
  return Buffer.concat(chunks).toString('utf8');
}
