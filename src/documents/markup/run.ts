// A run: text with inline markup between two block borders, or a whole plain text. Here: its form, and its characters in a
// row with the stretches that the markup covers, which is what sentences are found in.

import { keptSpans } from '../kept.ts';
import type { Span } from '../spans.ts';

export type InlineNode =
  | { readonly kind: 'text'; readonly text: string }
  | InlineElement
  /** Text that helps to translate the sentence but is put out unchanged, such as code or an address. */
  | { readonly kind: 'kept'; readonly text: string; readonly markup: string }
  /** Something without text, such as an image; `isVisible` if a reader sees a gap between the words beside it. */
  | { readonly kind: 'mark'; readonly markup: string; readonly isVisible: boolean }
  /** What ends a sentence, such as a line break. */
  | { readonly kind: 'break'; readonly markup: string };

/** Tags around words: they go where the words go. */
interface InlineElement {
  readonly kind: 'element';
  readonly open: string;
  readonly close: string;
  readonly children: readonly InlineNode[];
}

/** What the output is written in. */
export interface Format {
  /** Whether a line break is a space like any other, as in HTML, and ends no sentence. */
  readonly hasFreeLines: boolean;
  /** Text as it is written. */
  escape(text: string): string;
}

export const plainText: Format = { hasFreeLines: false, escape: (text) => text };

export const html: Format = {
  hasFreeLines: true,
  escape: (text) => text.replace(/[&<>\u00a0]/g, (character) => entities[character as keyof typeof entities]),
};

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\u00a0': '&nbsp;' } as const;

/** A stretch of the run's characters that has tags around it, or that is put out unchanged. */
export type Box = TagBox | FixedBox;

export interface TagBox extends Span {
  readonly kind: 'tags';
  readonly open: string;
  readonly close: string;
  readonly children: readonly Box[];
}

export interface FixedBox extends Span {
  readonly kind: 'kept' | 'mark';
  /** What is put out. */
  readonly markup: string;
}

export class Run {
  /** All text in a row, white space as spaces where lines are free; each mark and break has one stand-in character. */
  characters = '';
  /** The same, white space as it was. As long as `characters`. */
  raw = '';
  /** Places of the stand-in characters, and whether a reader sees what they stand for. */
  readonly marks = new Map<number, { readonly isVisible: boolean }>();
  readonly boxes: readonly Box[];

  constructor(
    nodes: readonly InlineNode[],
    readonly format: Format,
  ) {
    this.boxes = nodes.flatMap((node) => this.add(node));
  }

  private add(node: InlineNode): Box[] {
    switch (node.kind) {
      case 'text':
        return this.addText(node.text);
      case 'kept':
        return [this.addFixed('kept', node.text, node.markup)];
      case 'element':
        return [this.addElement(node)];
      case 'mark':
        this.marks.set(this.characters.length, { isVisible: node.isVisible });
        return [this.addFixed('mark', wordJoiner, node.markup)];
      case 'break':
        this.marks.set(this.characters.length, { isVisible: true });
        return [this.addFixed('mark', lineSeparator, node.markup)];
    }
  }

  private addText(text: string): Box[] {
    let end = 0;
    const boxes = keptSpans(text).map((span) => {
      const kept = text.slice(span.start, span.end);
      this.append(text.slice(end, span.start));
      end = span.end;
      return this.addFixed('kept', kept, this.format.escape(kept));
    });
    this.append(text.slice(end));
    return boxes;
  }

  private addElement({ open, close, children: nodes }: InlineElement): TagBox {
    const start = this.characters.length;
    const children = nodes.flatMap((node) => this.add(node));
    return { kind: 'tags', open, close, start, end: this.characters.length, children };
  }

  private addFixed(kind: FixedBox['kind'], text: string, markup: string): FixedBox {
    const start = this.characters.length;
    this.append(text);
    return { kind, markup, start, end: this.characters.length };
  }

  private append(text: string): void {
    this.raw += text;
    this.characters += this.format.hasFreeLines ? text.replace(/[\n\r\t\f]/g, ' ') : text;
  }
}

/** Sentence rules look through the one and end at the other. */
const wordJoiner = '\u2060';
const lineSeparator = '\u2028';
