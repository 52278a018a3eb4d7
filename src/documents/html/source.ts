// The runs of an HTML document or fragment: text with inline tags between two block boundaries, and its position in the
// source. Everything else (block tags, head, scripts, comments between blocks) is left as it is, byte for byte.

import { serialize } from 'parse5';
import type { InlineNode } from '../markup/run.ts';
import type { Span } from '../spans.ts';
import { type ChildNode, type Element, type Role, roleOf, translateAttribute } from './elements.ts';
import { InlineReader } from './inline.ts';
import { type Contents, contentsOf, parseHtml, type Root } from './tree.ts';

interface HtmlSource {
  /** The source; serialized from the tree if tags were crossed or left open within a sentence. */
  readonly html: string;
  /** In order, without overlaps. */
  readonly runs: readonly HtmlRun[];
}

interface HtmlRun extends Span {
  readonly nodes: readonly InlineNode[];
}

/**
 * A run can be replaced only if its nodes have the same order in the source and in the tree. This is not so if tags are
 * crossed (`<b>1<i>2</b>3</i>`) or left open; then the whole tree is serialized and read again.
 * @throws HeedError if elements are nested too deeply
 */
export function readHtml(source: string): HtmlSource {
  let html = source;
  for (let attempt = 0; ; attempt++) {
    const tree = parseHtml(html);
    const reader = new RunReader(html, tree);
    if (!reader.foundCrossedTags || attempt === 2) return { html, runs: reader.runs };
    html = serialize(tree);
  }
}

class RunReader {
  readonly runs: HtmlRun[] = [];
  foundCrossedTags = false;
  private readonly contents: ReadonlyMap<Element, Contents>;

  constructor(
    private readonly html: string,
    root: Root,
  ) {
    this.contents = contentsOf(root);
    this.readBlock(root.childNodes, true);
    this.runs.sort((a, b) => a.start - b.start);
  }

  /** @param translates whether the surrounding elements are translated; if not, only parts with `translate="yes"` are */
  private readBlock(nodes: readonly ChildNode[], translates: boolean): void {
    let run: ChildNode[] = [];
    for (const node of nodes) {
      if (translates && this.isInline(node)) {
        run.push(node);
        continue;
      }
      this.readRun(run);
      run = [];
      if ('tagName' in node && hasOwnWords.has(roleOf(node)))
        this.readBlock(node.childNodes, translateAttribute(node) ?? translates);
    }
    this.readRun(run);
  }

  private isInline(node: ChildNode): boolean {
    if (!('tagName' in node)) return node.nodeName !== '#documentType';
    const role = roleOf(node);
    if (role === 'mark' || role === 'break') return true;
    return (role === 'inline' || role === 'kept') && !this.contents.get(node)?.hasBlock;
  }

  private readRun(nodes: readonly ChildNode[]): void {
    if (!nodes.some((node) => this.hasText(node))) return;
    const reader = new InlineReader(this.html, this.contents, nodes[0]);
    const inline = reader.read(nodes);
    if (reader.foundCrossedTags) this.foundCrossedTags = true;
    else this.runs.push({ start: reader.start, end: reader.position, nodes: inline });
  }

  private hasText(node: ChildNode): boolean {
    if ('value' in node) return /\S/.test(node.value);
    return 'tagName' in node && roleOf(node) !== 'mark' && this.contents.get(node)?.hasText === true;
  }
}

const hasOwnWords: ReadonlySet<Role> = new Set(['inline', 'kept', 'block']);
