// A glossary: if a line contains a source term, its translation must contain the target term.

import { HeedError } from '../base/error.ts';
import type { Tokenizer } from '../text/index.ts';
import { atWordStart, insideWord, isUnspaced } from './word-forms.ts';

export interface GlossaryEntry {
  readonly source: string;
  readonly target: string;
}

/**
 * - A source term matches whole words, case-sensitively: `art` does not match in `party`. In scripts without spaces it
 *   matches anywhere.
 * - The longest of overlapping terms is used: `York` does not match within `New York`.
 * - A term found several times in a line is forced once.
 */
export class Glossary {
  private readonly terms: readonly { readonly entry: GlossaryEntry; readonly pattern: RegExp }[];

  /** @throws HeedError for an empty term, or a source term with two translations */
  constructor(
    readonly entries: readonly GlossaryEntry[],
    place = 'glossary',
  ) {
    const known = new Map<string, string>();
    for (const { source, target } of entries) {
      if (source.trim() === '' || target.trim() === '')
        throw new HeedError(place, `a term must not be empty, got ${JSON.stringify([source, target])}.`);
      const other = known.get(source);
      if (other !== undefined && other !== target)
        throw new HeedError(place, `“${source}” must have one translation, got “${other}” and “${target}”.`);
      known.set(source, target);
    }
    this.terms = entries
      .map((entry) => ({ entry, pattern: wholeWords(entry.source) }))
      .toSorted((a, b) => b.entry.source.length - a.entry.source.length);
  }

  /** Reads `source term TAB target term` lines; blank lines are skipped. @throws HeedError naming the line */
  static parse(lines: readonly string[], place: string): Glossary {
    const entries = lines.flatMap((line, i) => {
      if (line.trim() === '') return [];
      const terms = line.split('\t').map((term) => term.trim());
      if (terms.length !== 2 || terms.includes(''))
        throw new HeedError(
          `${place}, line ${i + 1}`,
          `must be a source term, a tab, a target term, got ${JSON.stringify(line)}.`,
        );
      return [{ source: terms[0], target: terms[1] }];
    });
    return new Glossary(entries, place);
  }

  /** The entries whose source term occurs in the line. */
  entriesIn(line: string): GlossaryEntry[] {
    let rest = line;
    return this.terms.flatMap(({ entry, pattern }) => {
      const without = rest.replaceAll(pattern, taken);
      const isFound = without !== rest;
      rest = without;
      return isFound ? [entry] : [];
    });
  }
}

/**
 * The ids that the output must contain. The term begins a word, ▁term, at the start of the output or after a space; in scripts
 * without spaces it directly follows the preceding text. Its last piece may be continued:
 * `Haus` allows `Hauses`.
 */
export function forcedPhrase(tokenizer: Tokenizer, term: string): number[] {
  return isUnspaced([...term][0]) ? insideWord(tokenizer, term) : atWordStart(tokenizer, term);
}

/** Replaces a term that was found, so that no shorter one is found in it. */
const taken = '\0';

function wholeWords(term: string): RegExp {
  const characters = [...term];
  const literal = term.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(
    `${borderless(characters[0]) ? '' : before}${literal}${borderless(characters.at(-1)!) ? '' : after}`,
    'gu',
  );
}

const before = '(?<![\\p{L}\\p{N}\\p{M}])';
const after = '(?![\\p{L}\\p{N}\\p{M}])';

/** Whether a character needs no word boundary beside it, such as punctuation. */
function borderless(character: string): boolean {
  return isUnspaced(character) || !/[\p{L}\p{N}\p{M}]/u.test(character);
}
