// The package as a user gets it: packed, installed into an empty project, and used from ES modules, CommonJS and TypeScript.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { version } from '../src/base/version.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'heed-package-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The built package as it is: scripts would build it again, under the other tests. */
function pack(...options: string[]): { filename: string; files: { path: string }[] } {
  const args = ['pack', '--ignore-scripts', '--json', ...options];
  const [packed] = JSON.parse(
    execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  return packed;
}

/** What a program prints. */
function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
  return stdout;
}

/** A project beside the others: all find heed in the folder's node_modules. */
function project(name: string, files: Readonly<Record<string, string>>): string {
  const path = join(folder, name);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  }
  return path;
}

const body = `
  const translator = await Translator.load(await bundledModel());
  const translation = await translator.translate('The dog is running.', { to: 'zh' });
  const x = tensor.constant([2], [1, 2]);
  const [product] = tensor.evaluate([tensor.sum(tensor.multiply(x, x))], new Map());
  const program = await compile({ sum: tensor.sum(tensor.multiply(x, x)) });
  const { sum } = await program.run(new Map());
  const { score } = metrics.corpusBleu(['a b c d e'], [['a b c d e']]);
  console.log(JSON.stringify({ translation, product: [...product.data], sum: [...sum.data], score }));
`;

function checkPrinted(output: string): void {
  const { translation, ...rest } = JSON.parse(output);
  expect(translation).toMatch(/\p{Script=Han}/u);
  expect(rest).toEqual({ product: [5], sum: [5], score: expect.closeTo(100, 6) });
}

describe('the files of the package', () => {
  const paths = pack('--dry-run').files.map(({ path }) => path);

  it('are the built code with its types, the page, the bundled model and the documentation', () => {
    for (const path of [
      'dist/index.js',
      'dist/index.d.ts',
      'dist/browser.js',
      'dist/cli/main.js',
      'dist/web/index.html',
      'models/en-zh/model.safetensors',
      'docs/format.md',
      'examples/worker.mjs',
      'README.md',
      'LICENSE',
    ])
      expect(paths).toContain(path);
  });

  it('hold no sources, no source maps, no tests and no caches', () => {
    const superfluous =
      /\.map$|\.test\.|^(src|test|tools|bench|results)\/|(^|\/)\.(?!vite\/)|tsbuildinfo|(?<!\.d)\.ts$/;
    expect(paths.filter((path) => superfluous.test(path))).toEqual([]);
  });
});

describe('the installed package', () => {
  let unreachable: string | undefined;

  beforeAll(() => {
    const { filename } = pack('--pack-destination', folder);
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    const { status, stdout, stderr } = spawnSync(
      'npm',
      ['install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, filename)],
      { cwd: folder, encoding: 'utf8', env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' } },
    );
    const networkErrors = 'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED';
    unreachable = new RegExp(`^npm error code (${networkErrors}|ERR_SOCKET_TIMEOUT)$`, 'm').exec(stderr)?.[1];
    if (unreachable === undefined) expect(status, stdout + stderr).toBe(0);
  }, 300_000);

  beforeEach(({ skip }) => {
    if (unreachable !== undefined) skip(`the npm registry cannot be reached: ${unreachable}`);
  });

  it('translates, computes and scores in an ES module', () => {
    const path = project('esm', {
      'package.json': '{ "type": "module" }',
      'main.js': `import { bundledModel, compile, metrics, tensor, Translator } from 'heed';\n${body}`,
    });
    checkPrinted(run(process.execPath, ['main.js'], path));
  });

  it('does the same in CommonJS, by import()', () => {
    const path = project('commonjs', {
      'package.json': '{ "type": "commonjs" }',
      'main.js': `(async () => {
        const { bundledModel, compile, metrics, tensor, Translator } = await import('heed');\n${body}})();`,
    });
    checkPrinted(run(process.execPath, ['main.js'], path));
  });

  it('does the same in CommonJS, by require() where Node can require ES modules', ({ skip }) => {
    if (!('require_module' in process.features)) skip('this Node cannot require ES modules');
    const path = project('require', {
      'package.json': '{ "type": "commonjs" }',
      'main.js': `const { bundledModel, compile, metrics, tensor, Translator } = require('heed');
        (async () => {\n${body}})();`,
    });
    checkPrinted(run(process.execPath, ['main.js'], path));
  });

  it('exports its modules by themselves, and nothing else', () => {
    const path = project('modules', {
      'package.json': '{ "type": "module" }',
      'main.js': `
        for (const name of ['web', 'tensor', 'nn', 'decode', 'metrics', 'text'])
          console.log(name, Object.keys(await import('heed/' + name)).length > 0);
        console.log(await import('heed/dist/index.js').catch(({ code }) => code));`,
    });
    const lines = ['web', 'tensor', 'nn', 'decode', 'metrics', 'text'].map((name) => `${name} true`);
    expect(run(process.execPath, ['main.js'], path)).toBe(
      `${[...lines, 'ERR_PACKAGE_PATH_NOT_EXPORTED'].join('\n')}\n`,
    );
  });

  it('brings the command', () => {
    expect(run(join(folder, 'node_modules/.bin/heed'), ['--version'], folder)).toBe(`${version}\n`);
  });

  const types = join(root, 'test/types');
  const strict = {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: false,
    target: 'ES2023',
  };

  it.each([
    { module: 'NodeNext', lib: ['ES2023'], types: ['node'], files: ['heed.ts', 'modules.ts'] },
    {
      module: 'ESNext',
      moduleResolution: 'Bundler',
      lib: ['ES2023', 'DOM'],
      types: [],
      files: ['web.ts', 'modules.ts'],
    },
  ])('has types for strict TypeScript: $module, $files', ({ files, ...options }) => {
    const compilerOptions = { ...strict, ...options };
    const path = project(`typescript-${options.module}`, {
      'package.json': '{ "type": "module" }',
      'tsconfig.json': JSON.stringify({ compilerOptions, files }),
    });
    for (const file of [...files, 'exactly.ts']) cpSync(join(types, file), join(path, file));
    mkdirSync(join(path, 'node_modules'));
    symlinkSync(join(root, 'node_modules/@types'), join(path, 'node_modules/@types'));
    expect(run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], path)).toBe('');
  });
});
