// Every operator and every graph of a small model is valid ONNX: the bytes are those that passed ONNX's own checker. After
// a change of a lowering, tools/golden/onnx-models.mjs has them checked again.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { onnxModels } from './onnx-models.ts';
import { cases } from './operator-cases.ts';

interface Golden {
  checkedBy: string;
  sha256: Record<string, string>;
}

const golden: Golden = JSON.parse(readFileSync(new URL('golden/onnx-check.json', import.meta.url), 'utf8'));
const models = onnxModels();

describe(`models checked by ${golden.checkedBy}`, () => {
  it('are all models', () => {
    const [variants, graphsOfEach, ahead] = [2, 4, 3];
    expect(models.size).toBe(cases.length + variants * graphsOfEach + ahead); // no two titles make one file name
    expect([...models.keys()]).toEqual(Object.keys(golden.sha256));
  });

  it.each([...models])('%s', (name, bytes) => {
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(golden.sha256[name]);
  });
});
