// A run: text with inline markup between two block boundaries, or a whole plain text. It is stored as a sequence of
// characters, in which sentences are found, and the spans that the markup covers.

import { keptSpans } from '../kept.ts';
import type { Span } from '../spans.ts';

export type InlineNode =
  | { readonly kind: 'text'; readonly text: string }
  | InlineElement
  /** Text that is context for the translation but stays unchanged, such as code or an address. */
  | { readonly kind: 'kept'; readonly text: string; readonly markup: string }
  /** An element without text, such as an image; `isVisible` if it visibly separates the words beside it. */
  | { readonly kind: 'mark'; readonly markup: string; readonly isVisible: boolean }
  /** An element that ends a sentence, such as a line break. */
  | { readonly kind: 'break'; readonly markup: string };

/** Tags around words, which are placed around the translation of the words. */
interface InlineElement {
  readonly kind: 'element';
  readonly open: string;
  readonly close: string;
  readonly children: readonly InlineNode[];
}

/** The output format. */
export interface Format {
  /** Whether a line break is a space, as in HTML, and ends no sentence. */
  readonly hasFreeLines: boolean;
  /** Text as it is written in the format. */
  escape(text: string): string;
}

export const plainText: Format = { hasFreeLines: false, escape: (text) => text };

export const html: Format = {
  hasFreeLines: true,
  escape: (text) => text.replace(/[&<>\u00a0]/g, (character) => entities[character as keyof typeof entities]),
};

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\u00a0': '&nbsp;' } as const;

/** A span of the run's characters that has tags around it, or that stays unchanged. */
export type Box = TagBox | FixedBox;

export interface TagBox extends Span {
  readonly kind: 'tags';
  readonly open: string;
  readonly close: string;
  readonly children: readonly Box[];
}

export interface FixedBox extends Span {
  readonly kind: 'kept' | 'mark';
  /** What is written to the output. */
  readonly markup: string;
}

export class Run {
  /** The text, white space as spaces if the format has free lines; each mark and break is one placeholder character. */
  characters = '';
  /** The same with its original white space. As long as `characters`. */
  raw = '';
  /** Positions of the placeholder characters, and whether their elements are visible. */
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

/** Unicode's sentence rules ignore the first and end a sentence at the second. */
const wordJoiner = '\u2060';
const lineSeparator = '\u2028';
