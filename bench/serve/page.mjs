// Load time of the page: from its request until it accepts input, and until that is translated.
//
//     npm run bench:page -- [--json] [--rounds 9]
//
// A fresh browser profile each time, so that nothing is cached, a server on this machine with a model of random weights. Needs
// Debian's Chromium. Medians; exits 1 if the page takes longer than a second.

import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { testSentences } from '../decode-cases.mjs';
import { randomModelFolder, startServer } from './server.mjs';

const ceilingMs = 1000;

const { values: chosen } = parseArgs({
  options: { json: { type: 'boolean', default: false }, rounds: { type: 'string', default: '9' } },
});
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
if (executablePath === undefined) throw new Error('There is no Chromium on this machine.');

const { lines } = await testSentences();
const server = await startServer([`en-de=${await randomModelFolder(lines)}`]);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const rounds = [];
for (let round = 0; round < Number(chosen.rounds); round++) rounds.push(await open());
await browser.close();
await server.stop();

/** Milliseconds from the request. */
async function open() {
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  const start = performance.now();
  await page.goto(`${server.url}/`, { waitUntil: 'commit' });
  const source = page.getByRole('textbox', { name: 'Source' });
  await source.fill('a man rides a bike');
  const usableMs = performance.now() - start;
  await page.getByRole('listbox').waitFor();
  const translatedMs = performance.now() - start;
  await context.close();
  return { usableMs, translatedMs };
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const usableMs = median(rounds.map((round) => round.usableMs));
const translatedMs = median(rounds.map((round) => round.translatedMs));
if (chosen.json) console.log(JSON.stringify({ usableMs, translatedMs, rounds }));
else {
  console.log(`takes what is typed after   ${usableMs.toFixed(0)} ms (ceiling ${ceilingMs})`);
  console.log(`shows its translation after ${translatedMs.toFixed(0)} ms`);
}
if (usableMs > ceilingMs) process.exitCode = 1;
