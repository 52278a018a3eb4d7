import { describe, expect, it } from 'vitest';
import { formatPythonJson } from './python-json.ts';

describe('formatPythonJson', () => {
  it("is the text of Python's json.dumps", () => {
    expect(formatPythonJson({ name: 'μ "x"', list: [1, { a: undefined }], none: [], empty: {} }, 2)).toBe(
      [
        '{',
        '  "name": "μ \\"x\\"",',
        '  "list": [',
        '    1.0,',
        '    {',
        '      "a": null',
        '    }',
        '  ],',
        '  "none": [],',
        '  "empty": {}',
        '}',
      ].join('\n'),
    );
  });
  it("writes floats as Python's repr does", () => {
    const written = [40, 0, -2, 34.75, 0.1 + 0.2, 0.0001, 0.00005, 9.999000099990002e-5, 1e-12, 1e15, 1e16, 1.5e300];
    expect(written.map((value) => formatPythonJson(value, 1))).toEqual([
      ...['40.0', '0.0', '-2.0', '34.75', '0.30000000000000004', '0.0001', '5e-05', '9.999000099990002e-05'],
      ...['1e-12', '1000000000000000.0', '1e+16', '1.5e+300'],
    ]);
  });
});
