// An HTTP handler that sends a translation while the model writes it.
//
//     node examples/http-stream.mjs [port]
//     curl --no-buffer 'http://localhost:8080/?to=zh&text=The+dog+is+running.'

import { createServer } from 'node:http';
import { bundledModel, isHeedError, Translator } from 'heed';

const translator = await Translator.load(await bundledModel());

const server = createServer(async (request, response) => {
  const { searchParams } = new URL(request.url, 'http://localhost');
  const stop = new AbortController();
  response.on('close', () => stop.abort()); // a client that leaves stops the search
  try {
    const options = { to: searchParams.get('to') ?? 'zh', signal: stop.signal };
    for await (const text of translator.stream(searchParams.get('text') ?? '', options)) {
      if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
      response.write(text);
    }
    response.end();
  } catch (error) {
    if (stop.signal.aborted) return;
    if (!response.headersSent) response.statusCode = isHeedError(error) ? 400 : 500;
    response.end(isHeedError(error) ? error.message : 'internal error');
  }
});

server.listen(Number(process.argv[2] ?? 8080), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
