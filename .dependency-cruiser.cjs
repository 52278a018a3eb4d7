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
  architectures: ['tensor', 'nn'],
  runtime: ['tensor', 'onnx'],
  model: ['tensor', 'architectures', 'runtime', 'text', 'onnx'],
  generate: ['tensor', 'nn', 'architectures', 'runtime', 'model', 'decode'],
  'language-model': ['tensor', 'text', 'decode', 'architectures', 'generate', 'runtime', 'model'],
  train: ['tensor', 'runtime', 'model'],
  translate: ['tensor', 'architectures', 'generate', 'runtime', 'model', 'text', 'decode'],
  tasks: [
    'tensor',
    'text',
    'data',
    'architectures',
    'runtime',
    'model',
    'train',
    'translate',
    'language-model',
    'metrics',
  ],
  documents: ['text', 'translate'],
  serve: ['documents', 'generate', 'translate', 'train', 'model'],
};

const house = Object.entries(mayImport).map(([folder, others]) => ({
  name: `${folder}-imports`,
  comment: `${folder}/ may import only: base ${others.join(' ')}`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { path: '^src/', pathNot: `^src/(${[folder, 'base', ...others].join('|')})/` },
}));

const platform =
  '^src/(runtime/node/|translate/threads/|train/adam-(thread|worker)|documents/thread/|data/|model/|tasks/|base/(file-error|process-identity|worker-(channel|calls))|serve/|cli/|.*[.]test[.]ts$)|^web/.*[.]test[.]ts$';

const views = 'translate|attention|walk-through|beam|training';

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
        pathNot: [
          '^src/$1/',
          '^src/[^/]+/index[.]ts$',
          '^src/base/',
          '^src/(model|train|translate|language-model|documents|serve)/node[.]ts$',
          '^src/runtime/(node|web)/index[.]ts$',
        ],
      },
    },
    {
      name: 'page-imports-types',
      comment: 'The page shares with the server the types that a folder lists in its index.ts; its code is its own.',
      severity: 'error',
      from: { path: '^web/src/', pathNot: '[.]test[.]ts$' },
      to: { path: '^src/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'page-through-the-index',
      severity: 'error',
      from: { path: '^web/src/' },
      to: { path: '^src/', pathNot: ['^src/index[.]ts$', '^src/[^/]+/index[.]ts$'] },
    },
    {
      name: 'views-apart',
      comment: 'Views know of each other only by address, so that each is loaded on its own.',
      severity: 'error',
      from: { path: `^web/src/(${views})/` },
      to: { path: `^web/src/(${views})/`, pathNot: '^web/src/$1/' },
    },
    {
      name: 'no-cycles',
      comment: 'In tensor/ operators know the functions they build with by their types, and functions apply operators.',
      severity: 'error',
      from: { pathNot: '^src/tensor/' },
      to: { circular: true },
    },
    {
      name: 'no-cycles-at-run-time',
      severity: 'error',
      from: { path: '^src/tensor/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'platform-at-the-edge',
      comment: 'Node built-ins only at the edges, so that the same model runs in a page.',
      severity: 'error',
      from: { path: '^(src|web/src)/', pathNot: platform },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'web-without-node',
      comment: 'Nothing that heed/web imports, by whatever way, needs Node.',
      severity: 'error',
      from: { path: '^src/browser[.]ts$' },
      to: { path: '^src/[^/]+/node([.]ts$|/)|onnxruntime-node', reachable: true },
    },
    {
      name: 'engine-behind-the-runtime',
      comment: 'Only runtime/ knows ONNX Runtime, and each engine its own build of it.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/runtime/' },
      to: { path: 'onnxruntime' },
    },
    {
      name: 'engines-apart',
      comment: 'The native engine and the one for pages know nothing of each other.',
      severity: 'error',
      from: { path: '^src/runtime/(node|web)/', pathNot: '[.]test[.]ts$' },
      to: {
        path: '^src/runtime/(node|web)/|onnxruntime-(node|web)',
        pathNot: ['^src/runtime/$1/', 'onnxruntime-$1'],
      },
    },
    {
      name: 'engines-at-the-edge',
      comment: 'What the engines share knows neither of them.',
      severity: 'error',
      from: { path: '^src/runtime/[^/]+$', pathNot: '[.]test[.]ts$' },
      to: { path: '^src/runtime/(node|web)/|onnxruntime-(node|web)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js'] },
  },
};
