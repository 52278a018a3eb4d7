// The programs in examples/ run as they are, on the built package.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const examples = fileURLToPath(new URL('../examples', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'heed-examples-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What an example prints. */
function run(name: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(examples, name), ...args], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stdout;
}

describe('examples', () => {
  it.each(readdirSync(examples).filter((name) => name.endsWith('.mjs')))('%s is short', (name) => {
    const lines = readFileSync(join(examples, name), 'utf8').trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(40);
  });

  it('train-and-translate.mjs learns to reverse letters', () => {
    const output = run('train-and-translate.mjs', join(folder, 'reversing'));
    expect(output.match(/^epoch \d+: loss [\d.]+$/gm)).toHaveLength(12);
    expect(output).toMatch(/\nfinished\na b c d e → e d c b a\n$/);
  });

  it('http-stream.mjs streams a translation, and answers a bad request', async () => {
    const child = spawn(process.execPath, [join(examples, 'http-stream.mjs'), '0']);
    try {
      const [line] = await once(child.stdout, 'data');
      const address = /http:\S+/.exec(String(line))?.[0];
      const answer = await fetch(`${address}/?to=zh&text=The+dog+is+running.`);
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(await answer.text()).toMatch(/\p{Script=Han}/u);
      const refusal = await fetch(`${address}/?to=xx&text=The+dog`);
      expect(refusal.status).toBe(400);
      expect(await refusal.text()).toContain('xx');
    } finally {
      child.kill();
    }
  });

  it('worker.mjs translates without blocking the main thread', () => {
    const output = run('worker.mjs');
    expect(output.match(/→ .*\p{Script=Han}/gu)).toHaveLength(2);
    expect(output).toContain('the main thread was free meanwhile');
  });

  it('score-and-rerank.mjs ranks first the candidate that is best in both directions', () => {
    const lines = run('score-and-rerank.mjs').trimEnd().split('\n').slice(1);
    const both = lines.map((line) => Number(line.trim().split(/ +/)[2]));
    expect(both).toHaveLength(5);
    expect(both).toEqual([...both].sort((a, b) => b - a));
  });

  it('read-attention.mjs names the strongest source pieces', () => {
    const output = run('read-attention.mjs');
    expect(output).toMatch(/^The dog is running\. → .*\p{Script=Han}/u);
    expect(output).toMatch(/: .* \d+ %, .* \d+ %, .* \d+ %\n/);
    expect(output).toMatch(/3 decoder layers, 8 heads each\n$/);
  });

  it('custom-architecture.mjs saves, loads and decodes a model of its own architecture', () => {
    const model = join(folder, 'bag');
    expect(run('custom-architecture.mjs', model)).toMatch(/^\S+\n$/);
    expect(JSON.parse(readFileSync(join(model, 'config.json'), 'utf8')).architecture).toMatchObject({
      kind: 'bag',
      width: 16,
    });
  });

  it('are all run here', () => {
    const test = readFileSync(new URL(import.meta.url), 'utf8');
    for (const name of readdirSync(examples)) expect(test).toContain(`${name} `);
  });
});
