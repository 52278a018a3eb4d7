// Has ONNX's own checker pass every model of test/onnx-models.ts, and records the bytes that passed:
//
//     node tools/golden/onnx-models.mjs PYTHON
//
// PYTHON is a Python with the package `onnx` (tools/golden/onnx_check.py says what is checked). Writes
// test/golden/onnx-check.json. Run it again whenever a lowering changes and test/onnx-check.test.ts says so.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
// Within node_modules, so that the compiled files find the packages they import.
const folder = `${root}/node_modules/.cache/onnx-models`;

const [python] = process.argv.slice(2);
if (python === undefined) {
  console.error('usage: node tools/golden/onnx-models.mjs PYTHON');
  process.exit(2);
}

const models = await compiledModels();
const paths = writeModels(models);
const report = execFileSync(python, [`${root}/tools/golden/onnx_check.py`, ...paths], { encoding: 'utf8' });
console.log(report.trim());
const golden = {
  checkedBy: report.split('\n')[0],
  sha256: Object.fromEntries([...models].map(([name, bytes]) => [name, sha256(bytes)])),
};
writeFileSync(`${root}/test/golden/onnx-check.json`, `${JSON.stringify(golden, null, 1)}\n`);
rmSync(folder, { recursive: true });

/** The models of test/onnx-models.ts, compiled by the type checker's compiler. */
async function compiledModels() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/package.json`, '{ "type": "module" }');
  const config = {
    extends: `${root}/tsconfig.json`,
    compilerOptions: { noEmit: false, allowImportingTsExtensions: false, rootDir: root, outDir: `${folder}/js` },
    files: [`${root}/test/onnx-models.ts`],
    include: [],
  };
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(config));
  execFileSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, '-p', folder], { stdio: 'inherit' });
  const { onnxModels } = await import(pathToFileURL(`${folder}/js/test/onnx-models.js`).href);
  return onnxModels();
}

function writeModels(models) {
  return [...models].map(([name, bytes]) => {
    writeFileSync(`${folder}/${name}.onnx`, bytes);
    return `${folder}/${name}.onnx`;
  });
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
