// Translates runs: from their sentences to the output.

import { isWhiteSpace } from '../sentences/segmenter.ts';
import { needsSpace } from '../sentences/spacing.ts';
import type { SplitOptions } from '../sentences/split-text.ts';
import type { Span } from '../spans.ts';
import { layOut, type PlacedBox } from './layout.ts';
import type { Run } from './run.ts';
import { partsOf } from './run-sentences.ts';
import type { TranslateSentences } from './translated-sentence.ts';
import { type Output, outputOf, type Unit } from './units.ts';

/**
 * The output of each run: its sentences translated, tags around the right words, everything else unchanged; undefined
 * for a run with nothing to translate.
 * @throws Error if `translate` returns another number of translations than it got sentences
 */
export async function translateRuns(
  runs: readonly Run[],
  translate: TranslateSentences,
  options: SplitOptions,
): Promise<(string | undefined)[]> {
  const work = runs.map((run) => ({ run, parts: partsOf(run, options) }));
  const sentences = work.flatMap(({ parts }) => parts.flatMap(({ text }) => (text === undefined ? [] : [text])));
  const translations = sentences.length === 0 ? [] : await translate(sentences);
  if (translations.length !== sentences.length)
    throw new Error(`translate must return ${sentences.length} translations, got ${translations.length}.`);
  let first = 0;
  return work.map(({ run, parts }) => {
    const count = parts.filter(({ text }) => text !== undefined).length;
    const own = translations.slice(first, first + count);
    first += count;
    return count === 0 ? undefined : write(run, outputOf(run, parts, own));
  });
}

function write(run: Run, output: Output): string {
  const whole = { start: 0, end: output.units.length };
  return new Writer(run, output.units).write(layOut(run.boxes, output, whole), whole);
}

/** White space between units stands outside of tags: `Ein <b>roter</b> Hund`. */
class Writer {
  constructor(
    private readonly run: Run,
    private readonly units: readonly Unit[],
  ) {}

  /** @param boxes in order */
  write(boxes: readonly PlacedBox[], within: Span): string {
    let output = '';
    let place = within.start;
    // The white space before the next unit, if not its own gap: the parent writes the gap before the first one.
    let gap: string | undefined = '';
    const writeUnitsTo = (end: number): void => {
      for (; place < end; place++) {
        output += (gap ?? this.units[place].gap) + this.run.format.escape(this.units[place].text);
        gap = undefined;
      }
    };
    for (const placed of boxes) {
      writeUnitsTo(placed.start);
      if (placed.start < placed.end) {
        const left = place > within.start ? this.textAt(place - 1) : '';
        output += this.apart(gap ?? this.units[place].gap, left, this.textOf(placed)) + this.content(placed);
        place = placed.end;
        gap =
          place < within.end ? this.apart(this.units[place].gap, this.textOf(placed), this.textAt(place)) : undefined;
      } else {
        const here = place === within.end ? '' : (gap ?? this.units[place].gap);
        const [before, behind] = this.spacesAround(placed, here);
        output += (place === within.start ? '' : before) + this.content(placed);
        gap = behind;
      }
    }
    writeUnitsTo(within.end);
    return output;
  }

  private content({ box, children, ...span }: PlacedBox): string {
    return box.kind === 'tags' ? box.open + this.write(children, span) + box.close : box.markup;
  }

  /** White space before and after a box without units: as in the source, and so that words stay apart. */
  private spacesAround(placed: PlacedBox, gap: string): [before: string, behind: string] {
    const { box, start } = placed;
    if (box.kind === 'tags') return ['', gap];
    const { characters } = this.run;
    const hadBefore = isSpaceAt(characters, box.start - 1);
    const hadBehind = isSpaceAt(characters, box.end);
    const next = this.textAt(start);
    // A mark with a space on one side, such as a comment or the number of a footnote, stays on that side of the gap.
    if (box.kind === 'mark' && !(hadBefore && hadBehind)) return hadBefore ? [gap, ''] : ['', gap];
    const text = this.textOf(placed);
    const before = hadBefore ? gap || ' ' : this.apart('', this.textAt(start - 1), text);
    const behind = hadBehind && !closingSign.test(next) ? gap || ' ' : this.apart('', text, next);
    return [before, before ? behind : behind || gap];
  }

  /** White space between two texts: the gap, or a space if there is none and they would read as one word. */
  private apart(gap: string, left: string, right: string): string {
    return gap === '' && needsSpace(left, right) ? ' ' : gap;
  }

  private textAt(place: number): string {
    return this.units[place]?.text ?? '';
  }

  /** The text of a kept box; empty for marks, and for tags, whose words are units. */
  private textOf({ box }: PlacedBox): string {
    return box.kind === 'kept' ? this.run.characters.slice(box.start, box.end) : '';
  }
}

const closingSign = /^[\p{Pe}\p{Pf}\p{Po}]/u;

function isSpaceAt(characters: string, place: number): boolean {
  const character = characters[place];
  return character !== undefined && isWhiteSpace(character);
}
