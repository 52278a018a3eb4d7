// What a training process tells the rest of the machine, in its run's folder: that it is at work, and how fast. And what it
// hears from there: the wish that it stop. A file, unlike a signal, never reaches another process that got the same number,
// and crosses users, containers and shared disks.

import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { thisProcess } from '../base/process-identity.ts';
import { writeFileAtomically } from '../model/node.ts';
import { runFiles, type SpeedRecord } from '../train/index.ts';

/** Milliseconds between looks for the wish to stop. */
const lookMs = 500;

/**
 * Does the work while `training/process.json` says that this process is at it.
 * @param onStop called once if somebody wishes that the run stop; the file that says so is removed at the end
 */
export async function announced<T>(folder: string, onStop: () => void, work: () => Promise<T>): Promise<T> {
  const files = runFiles(folder);
  rmIfAllowed(files.stop); // a wish of old was not meant for this process
  // A disk that refuses the record will refuse the run's state too, which then says why.
  await writeFileAtomically(files.process, JSON.stringify(thisProcess())).catch(() => undefined);
  const timer = setInterval(() => {
    if (!existsSync(files.stop)) return;
    clearInterval(timer);
    onStop();
  }, lookMs);
  const withdraw = () => {
    for (const path of [files.stop, files.process]) rmIfAllowed(path);
  };
  process.once('exit', withdraw); // a second Ctrl-C ends the process at once
  try {
    return await work();
  } finally {
    clearInterval(timer);
    process.removeListener('exit', withdraw);
    withdraw();
  }
}

/** A record that cannot be removed does no harm: its process will be gone. */
function rmIfAllowed(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}

/** Notes how fast a run is, once that is known. Nothing depends on it: a disk that refuses it ends no run. */
export function noteSpeed(folder: string, step: number, targetTokensPerSecond: number): void {
  if (targetTokensPerSecond === 0) return;
  const record: SpeedRecord = { kind: 'speed', step, time: new Date().toISOString(), targetTokensPerSecond };
  try {
    appendFileSync(runFiles(folder).speed, `${JSON.stringify(record)}\n`);
  } catch {}
}
