// JSON as Python's `json.dumps` writes it, so that a script that reads sacreBLEU's output reads heed's: indented, and
// every number a float (`40.0`, `9.99e-05`), since scores are floats there.

/** What is written. `undefined` becomes null. */
type Value = string | number | undefined | readonly Value[] | { readonly [key: string]: Value };

/** @param indent spaces a level, at least 1 */
export function formatPythonJson(value: Value, indent: number): string {
  return format(value, ' '.repeat(indent), '\n');
}

function format(value: Value, step: string, lineStart: string): string {
  if (value === undefined) return 'null';
  if (typeof value === 'number') return formatFloat(value);
  if (typeof value === 'string') return JSON.stringify(value);
  const inner = lineStart + step;
  if (isList(value)) return enclose('[', value.map((item) => format(item, step, inner)).join(`,${inner}`), ']');
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${format(item, step, inner)}`);
  return enclose('{', members.join(`,${inner}`), '}');

  function enclose(open: string, content: string, close: string): string {
    return content === '' ? open + close : open + inner + content + lineStart + close;
  }
}

function isList(value: object): value is readonly Value[] {
  return Array.isArray(value);
}

/** Python's `repr` of a float: `5.0` for 5, and exponents below 0.0001 and from 1e16 on, of two digits at least. */
function formatFloat(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
    return value.toExponential().replace(/e([+-])(\d)$/u, 'e$10$2');
  }
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}
