import { describe, expect, it } from 'vitest';
import { smallTokenizer } from '../../test/small-model.ts';
import { type GrowingText, streamText } from './stream.ts';

const tokenizer = smallTokenizer(10);

/** A search that writes the tokens of a text, one a turn of the event loop. */
function writing(ids: readonly number[], said: number[] = []): GrowingText<{ text: string }> {
  return {
    async run({ onToken, signal }) {
      for (const [position, token] of ids.entries()) {
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
        said.push(token);
        onToken({ sentence: 0, sample: 0, position, token, logProbability: 0 });
      }
      return { text: tokenizer.decode(ids) };
    },
    decode: (tokens) => tokenizer.decode(tokens),
    signal: undefined,
  };
}

async function partsOf(stream: AsyncIterable<string>): Promise<string[]> {
  const parts: string[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

describe('streamText', () => {
  it.each(['the cat', '', '  the', 'größe naïve ✓ 😀', 'a\uFFFD\uFFFDb', '東京'])(
    'gives the text of %j',
    async (text) => {
      const parts = await partsOf(streamText(writing([...tokenizer.encode(text)])));
      expect(parts.join('')).toBe(text);
      expect(parts).not.toContain('');
    },
  );
  it('never shows part of a character', async () => {
    expect(await partsOf(streamText(writing([...tokenizer.encode('✓✓')])))).toEqual(['✓', '✓']);
  });
  it('shows bytes that never become a character at the end', async () => {
    const ids = [...tokenizer.encode('a✓')].slice(0, -1);
    expect((await partsOf(streamText(writing(ids)))).join('')).toBe('a\uFFFD');
  });
  it('returns the result', async () => {
    const stream = streamText(writing([...tokenizer.encode('a')]));
    expect(await stream.next()).toEqual({ done: false, value: 'a' });
    expect(await stream.next()).toEqual({ done: true, value: { text: 'a' } });
  });
  it('stops the search when its reader stops', async () => {
    const said: number[] = [];
    const ids = [...tokenizer.encode('the cat sat on the mat')];
    for await (const _ of streamText(writing(ids, said))) break;
    expect(said.length).toBeLessThanOrEqual(2);
  });
  it('stops with the reason of the signal', async () => {
    const controller = new AbortController();
    const stream = streamText({ ...writing([...tokenizer.encode('the cat')]), signal: controller.signal });
    await stream.next();
    controller.abort(new Error('enough'));
    await expect(partsOf(stream)).rejects.toThrow('enough');
    const late = streamText({ ...writing([3]), signal: AbortSignal.abort(new Error('too late')) });
    await expect(late.next()).rejects.toThrow('too late');
  });
  it('passes an error of the search on', async () => {
    const failing = { ...writing([]), run: () => Promise.reject(new Error('broken')) };
    await expect(streamText(failing).next()).rejects.toThrow('broken');
  });
});
