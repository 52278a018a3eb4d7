// Files by which a training process and others communicate, in its run's folder: which process it is, how fast it is, and the
// request that it stop. A file, unlike a signal, never reaches another process that got the same number, and works across
// users, containers and shared disks.

import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { thisProcess } from '../base/process-identity.ts';
import { writeFileAtomically } from '../model/node.ts';
import { runFiles, type SpeedRecord } from '../train/index.ts';

/** Milliseconds between checks for a request to stop. */
const checkMs = 500;

/**
 * Does the work while `training/process.json` names this process.
 * @param onStop called once if the file `training/stop` appears; it is removed at the end
 */
export async function withProcessRecord<T>(folder: string, onStop: () => void, work: () => Promise<T>): Promise<T> {
  const files = runFiles(folder);
  rmIfAllowed(files.stop); // an earlier request was not meant for this process
  // A disk that refuses the record will refuse the run's state too, which then says why.
  await writeFileAtomically(files.process, JSON.stringify(thisProcess())).catch(() => undefined);
  const timer = setInterval(() => {
    if (!existsSync(files.stop)) return;
    clearInterval(timer);
    onStop();
  }, checkMs);
  const cleanUp = () => {
    for (const path of [files.stop, files.process]) rmIfAllowed(path);
  };
  process.once('exit', cleanUp); // a second Ctrl-C ends the process at once
  try {
    return await work();
  } finally {
    clearInterval(timer);
    process.removeListener('exit', cleanUp);
    cleanUp();
  }
}

/** A record that cannot be removed does no harm: its process will be gone. */
function rmIfAllowed(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}

/** Records how fast a run is, once that is known. Nothing depends on it: a disk that refuses it ends no run. */
export function recordSpeed(folder: string, step: number, targetTokensPerSecond: number): void {
  if (targetTokensPerSecond === 0) return;
  const record: SpeedRecord = { kind: 'speed', step, time: new Date().toISOString(), targetTokensPerSecond };
  try {
    appendFileSync(runFiles(folder).speed, `${JSON.stringify(record)}\n`);
  } catch {}
}
