// The role of each HTML element in a translation.

import type { DefaultTreeAdapterTypes } from 'parse5';

export type Element = DefaultTreeAdapterTypes.Element;
export type ChildNode = DefaultTreeAdapterTypes.ChildNode;

/**
 * - `inline`: part of a sentence; its tags are placed around the translation of its words
 * - `kept`: part of a sentence, but its text is not translated
 * - `mark`: part of a sentence without words
 * - `break`: ends a sentence
 * - `block`: ends the sentence around it; its own sentences are translated
 * - `untouched`: ends the sentence around it; nothing in it is translated
 */
export type Role = 'inline' | 'kept' | 'mark' | 'break' | 'block' | 'untouched';

const names: Readonly<Partial<Record<Role, string>>> = {
  inline: `a abbr acronym b bdi bdo big blink cite data del dfn em font i ins label nobr q rb ruby s slot small span strike
    strong sub sup time tt u map picture`,
  kept: 'code kbd samp var',
  mark: 'img svg math wbr area source rp rt rtc script style template noscript link meta param',
  break: 'br',
  untouched: `pre textarea xmp listing plaintext noembed noframes select datalist input iframe object embed video audio canvas
    progress meter applet frame frameset`,
};

const roles: ReadonlyMap<string, Role> = new Map(
  (Object.entries(names) as [Role, string][]).flatMap(([role, list]) =>
    list.split(/\s+/).map((name): [string, Role] => [name, role]),
  ),
);

/**
 * Of the elements that are not listed, custom elements (`my-icon`) are inline, as browsers display them; others are
 * blocks. The attribute `translate` takes precedence over the role of an element.
 */
export function roleOf(element: Element): Role {
  const { tagName } = element;
  const role = roles.get(tagName) ?? (tagName.includes('-') ? 'inline' : 'block');
  const translate = translateAttribute(element);
  if (role === 'inline' && translate === false) return 'kept';
  return role === 'kept' && translate === true ? 'inline' : role;
}

/** Whether an element without text is visible, be it as a space. */
export function isVisible(node: ChildNode): boolean {
  if (node.nodeName === '#text') return true;
  return visibleNames.has(node.nodeName) || ('childNodes' in node && node.childNodes.some(isVisible));
}

const visibleNames = new Set(['img', 'svg', 'math']);

/**
 * Whether `translate="no"`, `translate="yes"` or `class="notranslate"` asks for translation; undefined without any of
 * them.
 */
export function translateAttribute({ attrs }: Element): boolean | undefined {
  const value = (name: string): string | undefined => attrs.find((attribute) => attribute.name === name)?.value;
  if (value('class')?.split(/\s+/).includes('notranslate')) return false;
  const translate = value('translate')?.toLowerCase();
  if (translate === 'no') return false;
  return translate === 'yes' || translate === '' ? true : undefined;
}
