// The text of a run: which files and which part of them, as documents.

import { HeedError } from '../../base/error.ts';
import { fileHash, readTextChunks, readTextFile } from '../../data/index.ts';
import type { DocumentPart } from '../../language-model/index.ts';
import type { DataHash } from '../run-file.ts';
import type { LanguageModelRecipe } from './recipe.ts';

/** Text that can be read more than once. */
export interface TextData {
  parts(): AsyncIterable<DocumentPart>;
}

export interface RunText {
  readonly training: TextData;
  readonly validation: TextData | undefined;
  /** What a resumed run must find as it was. */
  hashes(): Promise<readonly DataHash[]>;
}

/** Units of a text from which and up to which it is used: characters (UTF-16), or lines. */
interface Range {
  readonly from: number;
  readonly to: number;
}

const everything: Range = { from: 0, to: Number.POSITIVE_INFINITY };

/** @throws HeedError unless the recipe names a text that can be read */
export async function runText(recipe: LanguageModelRecipe): Promise<RunText> {
  const { text, validText, validShare, documents } = recipe;
  if (text === undefined) throw new HeedError('train', 'needs text to learn from; give --text.');
  const files = [{ role: 'text', path: text }, ...(validText ? [{ role: 'validation text', path: validText }] : [])];
  const hashes = () => Promise.all(files.map(async ({ role, path }) => ({ role, path, sha256: await fileHash(path) })));
  const dataOf = (path: string, range: Range): TextData => ({ parts: () => partsOf(path, documents, range) });
  if (validText !== undefined || validShare === 0)
    return {
      training: dataOf(text, everything),
      validation: validText === undefined ? undefined : dataOf(validText, everything),
      hashes,
    };
  const border = Math.floor((await unitsOf(text, documents)) * (1 - validShare));
  return {
    training: dataOf(text, { from: 0, to: border }),
    validation: dataOf(text, { from: border, to: Number.POSITIVE_INFINITY }),
    hashes,
  };
}

type Documents = LanguageModelRecipe['documents'];

async function unitsOf(path: string, documents: Documents): Promise<number> {
  let units = 0;
  if (documents === 'lines') for await (const _ of readTextFile(path)) units++;
  else for await (const chunk of readTextChunks(path)) units += chunk.length;
  return units;
}

async function* partsOf(path: string, documents: Documents, range: Range): AsyncGenerator<DocumentPart> {
  if (documents === 'text') {
    yield* documentOf(cutAtSpaces(within(readTextChunks(path), range)));
    return;
  }
  let number = 0;
  for await (const text of readTextFile(path)) {
    const isUsed = number >= range.from && number < range.to && text.trim() !== '';
    if (isUsed) yield { text, isFirst: true, isLast: true };
    number++;
  }
}

/** The characters in a range; one that takes two UTF-16 units belongs to where its first one is. */
async function* within(chunks: AsyncIterable<string>, { from, to }: Range): AsyncGenerator<string> {
  let at = 0;
  for await (const chunk of chunks) {
    const cut = (border: number) => {
      const index = Math.min(Math.max(border - at, 0), chunk.length);
      return index < chunk.length && isSecondHalf(chunk, index) ? index + 1 : index;
    };
    const part = chunk.slice(cut(from), cut(to));
    if (part !== '') yield part;
    at += chunk.length;
  }
}

function isSecondHalf(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00;
}

/**
 * A text in parts of some size that can be encoded one by one: cut at spaces, since no word goes across one. The space itself is
 * left out: 'to be', ' or not' gives 'to', 'be or', 'not' if the chunks end so.
 */
export async function* cutAtSpaces(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let open: string[] = [];
  for await (const chunk of chunks) {
    const cut = chunk.lastIndexOf(' ', chunk.length - 2);
    const part = cut < 0 || cut === chunk.length - 1 ? '' : open.join('') + chunk.slice(0, cut);
    if (part === '') {
      open.push(chunk);
      continue;
    }
    yield part;
    open = [chunk.slice(cut + 1)];
  }
  if (open.length > 0) yield open.join('');
}

async function* documentOf(texts: AsyncIterable<string>): AsyncGenerator<DocumentPart> {
  let last: DocumentPart | undefined;
  for await (const text of texts) {
    if (last !== undefined) yield last;
    last = { text, isFirst: last === undefined, isLast: false };
  }
  if (last !== undefined) yield { ...last, isLast: true };
}
