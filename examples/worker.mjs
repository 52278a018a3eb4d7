// A model in a worker thread, so that the main thread stays free for other work. For many sentences at once use
// TranslatorPool, which does this with one worker for each core.
//
//     node examples/worker.mjs

import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { bundledModel, Translator } from 'heed';

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url));
  let ticks = 0;
  const timer = setInterval(() => ticks++, 5); // the other work
  for (const text of ['The dog is running.', 'Where is the station?']) {
    worker.postMessage({ text, to: 'zh' });
    const [translation] = await once(worker, 'message');
    console.log(`${text} → ${translation}`);
  }
  clearInterval(timer);
  console.log(ticks > 0 ? 'the main thread was free meanwhile' : 'the main thread was blocked');
  await worker.terminate();
} else {
  const translator = await Translator.load(await bundledModel(), { threads: 1 });
  parentPort.on('message', async ({ text, to }) => {
    parentPort.postMessage(await translator.translate(text, { to }));
  });
}
