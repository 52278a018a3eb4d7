// Reads the nodes of a run along the source: each must begin where the previous one ended.

import { parseFragment } from 'parse5';
import type { InlineNode } from '../markup/run.ts';
import { type ChildNode, type Element, isVisible, roleOf } from './elements.ts';
import type { Contents } from './tree.ts';

/** Longer untranslated text ends its sentence, since it would confuse a model. */
const longestKept = 60;

export class InlineReader {
  readonly start: number;
  /** The offset in the source up to which it has been read. */
  position: number;
  /** The source does not match the tree, so the result is not usable. */
  foundCrossedTags = false;

  constructor(
    private readonly html: string,
    private readonly contents: ReadonlyMap<Element, Contents>,
    first: ChildNode,
  ) {
    this.start = first.sourceCodeLocation?.startOffset ?? Number.NaN;
    this.position = this.start;
  }

  read(nodes: readonly ChildNode[]): InlineNode[] {
    return nodes.map((node) => {
      const location = node.sourceCodeLocation;
      if (!location || location.startOffset !== this.position) this.foundCrossedTags = true;
      if ('tagName' in node) return this.readElement(node);
      const slice = this.sliceTo(location?.endOffset);
      if (!('value' in node)) return { kind: 'mark', markup: slice, isVisible: false };
      return { kind: 'text', text: this.textOf(slice, node.value) };
    });
  }

  private readElement(element: Element): InlineNode {
    const { startTag, endTag, endOffset } = element.sourceCodeLocation ?? {};
    if (!startTag || !(endTag || isClosedByItself(element, this.html))) this.foundCrossedTags = true;
    const kind = this.kindOf(element);
    if (kind !== 'element') {
      const markup = this.sliceTo(endOffset);
      if (kind === 'kept') return { kind, markup, text: textIn(element).replace(/\s+/g, ' ') };
      return kind === 'break' ? { kind, markup } : { kind, markup, isVisible: isVisible(element) };
    }
    const open = this.sliceTo(startTag?.endOffset);
    const children = this.read(element.childNodes);
    if (this.position !== endTag?.startOffset) this.foundCrossedTags = true;
    return { kind, open, children, close: this.sliceTo(endTag?.endOffset) };
  }

  private kindOf(element: Element): Exclude<InlineNode['kind'], 'text'> {
    const { hasBreak = false, hasText = false } = this.contents.get(element) ?? {};
    const role = roleOf(element);
    if (role === 'break') return 'break';
    if (role === 'mark') return 'mark';
    if (!hasText) return hasBreak ? 'break' : 'mark';
    const text = textIn(element);
    if (role === 'kept') return hasBreak || text.length > longestKept ? 'break' : 'kept';
    return this.isNote(element, text) ? 'mark' : 'element';
  }

  /**
   * A superscript or subscript number after a word, such as a footnote or an exponent, is not part of the word; in
   * H<sub>2</sub>O it is.
   */
  private isNote({ tagName, sourceCodeLocation }: Element, text: string): boolean {
    if ((tagName !== 'sup' && tagName !== 'sub') || /\p{L}/u.test(text)) return false;
    const { startOffset = 0, endOffset = 0 } = sourceCodeLocation ?? {};
    const isBehindWord = /(?:[^\s>]|<\/[^<>]+>)$/.test(this.html.slice(Math.max(0, startOffset - 30), startOffset));
    return isBehindWord && !/[\p{L}\p{N}]/u.test(this.html.charAt(endOffset));
  }

  private sliceTo(end: number | undefined): string {
    const slice = this.html.slice(this.position, end);
    this.position = end ?? Number.NaN;
    return slice;
  }

  /** The text of the source where it equals the parsed text, so that CRLF is preserved. */
  private textOf(slice: string, value: string): string {
    if (!/[&<\0]/.test(slice)) return slice;
    if (slice.includes('<')) this.foundCrossedTags ||= !isText(slice, value);
    return value;
  }
}

/** Whether a source that contains < is text all the same, such as `a < b`. */
function isText(slice: string, value: string): boolean {
  const { childNodes } = parseFragment(slice);
  return childNodes.length === 1 && 'value' in childNodes[0] && childNodes[0].value === value;
}

function textIn(node: ChildNode): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textIn).join('') : '';
}

/** `<img>`, and `<circle/>` in SVG. */
function isClosedByItself({ tagName, sourceCodeLocation }: Element, html: string): boolean {
  return voidNames.has(tagName) || html.charAt((sourceCodeLocation?.startTag?.endOffset ?? 0) - 2) === '/';
}

const voidNames = new Set('area br img link meta param source wbr'.split(' '));
