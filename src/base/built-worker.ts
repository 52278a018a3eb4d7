// Where the code of worker threads lies: threads run built code, also where the file that starts them is run from its
// source.

/** @param path of the worker's file within the built code, such as `train/adam-worker.js` */
export function builtWorker(path: string): URL {
  const root = import.meta.url.endsWith('.ts') ? '../../dist/' : '../';
  return new URL(root + path, import.meta.url);
}
