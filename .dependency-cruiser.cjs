// The import order of docs/architecture.md, floor by floor: a folder imports only from the folders named behind it.
const mayImport = {
  base: [],
  tensor: [],
  text: [],
  decode: [],
  metrics: [],
  nn: ['tensor'],
  onnx: ['tensor'],
  data: ['text'],
  runtime: ['tensor', 'onnx'],
  model: ['nn', 'runtime', 'text', 'onnx'],
  train: ['tensor', 'nn', 'runtime', 'model', 'data'],
  translate: ['tensor', 'nn', 'runtime', 'model', 'text', 'decode'],
};

const house = Object.entries(mayImport).map(([folder, others]) => ({
  name: `${folder}-imports`,
  comment: `${folder}/ may import only: base ${others.join(' ')}`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { path: '^src/', pathNot: `^src/(${[folder, 'base', ...others].join('|')})/` },
}));

const platform = '^src/(runtime/node|translate/pool|data/|model/|base/file-error|cli/|.*[.]test[.]ts$)';

module.exports = {
  forbidden: [
    ...house,
    {
      name: 'through-the-index',
      comment: 'Outsiders use what a folder lists in its index.ts.',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: {
        path: '^src/([^/]+)/.+',
        pathNot: ['^src/$1/', '^src/[^/]+/index[.]ts$', '^src/base/', '^src/(runtime|model|translate)/node[.]ts$'],
      },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'platform-at-the-edge',
      comment: 'Node built-ins only at the edges, so that the same model runs in a page.',
      severity: 'error',
      from: { path: '^src/', pathNot: platform },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'engine-behind-the-runtime',
      comment: 'Only runtime/ knows ONNX Runtime.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/runtime/' },
      to: { path: 'onnxruntime' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
