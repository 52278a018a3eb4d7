// The location of the code of worker threads: they run built code, even if the file that starts them is run from source.

/** @param path of the worker's file within the built code, such as `train/adam-worker.js` */
export function builtWorker(path: string): URL {
  const root = import.meta.url.endsWith('.ts') ? '../../dist/' : '../';
  return new URL(root + path, import.meta.url);
}
