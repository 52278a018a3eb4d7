// HTML parsed as browsers do, with the position of each tag in the source, and a summary of what each element contains.

import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';
import { HeedError } from '../../base/error.ts';
import { type ChildNode, type Element, roleOf } from './elements.ts';

export type Root = DefaultTreeAdapterTypes.Document | DefaultTreeAdapterTypes.DocumentFragment;

/** More than any page has: browsers limit the depth to 512. */
const maxDepth = 1000;

const startOfDocument = /^(?:\s|<!--(?:(?!-->).)*-->)*<(?:!doctype|html|head|body)[\s>]/is;

/** @throws HeedError if elements are nested too deeply */
export function parseHtml(html: string): Root {
  const root = (startOfDocument.test(html) ? parse : parseFragment)(html, { sourceCodeLocationInfo: true });
  checkDepth(root);
  return root;
}

function checkDepth(root: Root): void {
  let level: readonly ChildNode[] = root.childNodes;
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxDepth)
      throw new HeedError('html', `elements must be nested at most ${maxDepth} deep, got more; flatten the document.`);
    level = level.flatMap((node) => ('childNodes' in node ? node.childNodes : []));
  }
}

/** What an element contains at any depth. */
export interface Contents {
  readonly hasBlock: boolean;
  readonly hasBreak: boolean;
  /** More than white space. */
  readonly hasText: boolean;
}

export function contentsOf(root: Root): ReadonlyMap<Element, Contents> {
  const contents = new Map<Element, Contents>();
  const look = (nodes: readonly ChildNode[]): Contents => {
    const seen = { hasBlock: false, hasBreak: false, hasText: false };
    for (const node of nodes) {
      if ('value' in node) seen.hasText ||= /\S/.test(node.value);
      if (!('tagName' in node)) continue;
      const inside = look(node.childNodes);
      contents.set(node, inside);
      const role = roleOf(node);
      seen.hasBlock ||= role === 'block' || role === 'untouched' || (role !== 'mark' && inside.hasBlock);
      seen.hasBreak ||= role === 'break' || inside.hasBreak;
      seen.hasText ||= role !== 'mark' && inside.hasText;
    }
    return seen;
  };
  look(root.childNodes);
  return contents;
}
