// Quotations in the documentation match the files, and its links are valid.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** The blocks of code of a page, each with the file that its first line names. */
function quotations(page: string): { file: string | undefined; code: string }[] {
  return [...read(page).matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => {
    const [first, ...lines] = block.split('\n');
    return { file: first.match(/^\/\/ (src\/\S+\.ts)$/)?.[1], code: lines.join('\n') };
  });
}

function withoutLayout(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

describe('docs/tour.md', () => {
  const quoted = quotations('docs/tour.md');

  it('quotes every part of the model', () => {
    const files = new Set(quoted.map(({ file }) => file));
    for (const part of [
      'architectures/encoder-decoder',
      'nn/attention/mask',
      'nn/attention/multi-head',
      'nn/attention/scaled-dot-product',
      'nn/decoder',
      'nn/embedding',
      'nn/encoder',
      'nn/feed-forward/position-wise',
      'nn/mixers/self-attention',
      'nn/positions/sinusoids',
      'nn/sublayer',
    ]) {
      expect(files).toContain(`src/${part}.ts`);
    }
  });

  it.each(quoted)('quotation $# is in $file', ({ file, code }) => {
    if (file === undefined) throw new Error('a quotation begins with the file it is from');
    expect(withoutLayout(read(file))).toContain(withoutLayout(code));
  });

  it('names tests and files that exist', () => {
    for (const [, path] of read('docs/tour.md').matchAll(/`((?:src|test)\/[\w/.-]+\.ts)`/g)) {
      expect(() => read(path), path).not.toThrow();
    }
  });
});

describe('links of the documentation', () => {
  const pages = [
    ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'models/en-zh/README.md'],
    ...readdirSync(new URL('docs/', root))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];
  const links = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => ({ page, link })),
  );

  it.each(links.filter(({ link }) => !link.startsWith('https://')))('$page: $link', ({ page, link }) => {
    const [path, anchor] = link.split('#');
    const file = path === '' ? page : posix.join(posix.dirname(page), path);
    expect(existsSync(new URL(file, root)), file).toBe(true);
    if (anchor !== undefined) expect(anchorsOf(file)).toContain(anchor);
  });
});

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
