// Which process a record on the disk speaks of, and whether it still lives. A number alone is not enough: systems give it
// to other processes later, containers start with the same one each time.

import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';
import { errorCode } from './file-error.ts';

export const processIdentity = z.object({
  host: z.string(),
  pid: z.int().positive(),
  /** Clock ticks from the start of the system to that of the process; on Linux only. */
  startTicks: z.int().optional(),
});

export type ProcessIdentity = z.output<typeof processIdentity>;

export function thisProcess(): ProcessIdentity {
  return { host: hostname(), pid: process.pid, startTicks: startTicksOf(process.pid) };
}

/** False only if it surely is gone: a process on another host cannot be asked, and is believed. */
export function mayBeAlive({ host, pid, startTicks }: ProcessIdentity): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0); // asks only
  } catch (cause) {
    if (errorCode(cause) === 'ESRCH') return false;
  }
  return startTicks === undefined || startTicks === startTicksOf(pid);
}

/** Field 22 of /proc/PID/stat. The second one, the name, may hold spaces and brackets: what counts stands behind it. */
function startTicksOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    return undefined;
  }
}
