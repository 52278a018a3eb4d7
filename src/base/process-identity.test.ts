import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { mayBeAlive, processIdentity, thisProcess } from './process-identity.ts';

describe('the identity of a process', () => {
  it('is read back from JSON, and names a living process', () => {
    const self = processIdentity.parse(JSON.parse(JSON.stringify(thisProcess())));
    expect(self.pid).toBe(process.pid);
    expect(mayBeAlive(self)).toBe(true);
  });

  it('dies with its process', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    const { host } = thisProcess();
    const identity = { host, pid: child.pid ?? 0 };
    expect(mayBeAlive(identity)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(mayBeAlive(identity)).toBe(false);
  });

  it.runIf(process.platform === 'linux')('is not that of a later process with the same number', () => {
    const self = thisProcess();
    expect(self.startTicks).toBeGreaterThan(0);
    expect(mayBeAlive({ ...self, startTicks: 1 })).toBe(false);
  });

  it('is believed of another host', () => {
    expect(mayBeAlive({ host: 'elsewhere.invalid', pid: 1, startTicks: 1 })).toBe(true);
  });
});
