// Properties of any HTML: random trees with random alignments, and random sequences of malformed tags.

import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parseFragment, serialize } from 'parse5';
import { describe, expect, test } from 'vitest';
import type { TranslatedSentence, TranslateSentences } from '../markup/translated-sentence.ts';
import { translateHtml } from './translate-html.ts';

const voidTags = ['<img src="a>b" alt=\'x "y"\'>', '<br>', '<wbr>', '<!-- <b> -->'];
const inlineTags = ['b', 'i', 'a href="?x&amp;y"', 'span class=c', 'em', 'sup', 'my-tag'];
const blockTags = ['p', 'div', 'ul', 'blockquote', 'h1', 'pre', 'section translate="no"'];

/** Well-formed HTML; each start tag has a number of its own, so that it can be found in the output. */
function treesOf({ withKept, gaps = ['', ' '] }: { withKept: boolean; gaps?: string[] }): fc.Arbitrary<string> {
  const words = [
    'red',
    'dog',
    'Hello',
    ',',
    '.',
    'B.',
    '&amp;',
    '&lt;p&gt;',
    '你好。',
    '42',
    '\n',
    ...(withKept ? ['{x}'] : []),
  ];
  const tags = withKept ? [...inlineTags, 'code', 'u translate=no'] : inlineTags;
  const { block } = fc.letrec<{ inline: string; block: string; text: string }>((tie) => ({
    text: fc.array(fc.constantFrom(...words), { maxLength: 5 }).map((parts) => parts.join(' ')),
    inline: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      tie('text'),
      fc.constantFrom(...voidTags),
      fc
        .tuple(fc.constantFrom(...tags), fc.array(tie('inline'), { maxLength: 4 }), fc.constantFrom(...gaps))
        .map(([tag, inside, gap]) => element(tag, inside.join(gap))),
    ),
    block: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.array(tie('inline'), { maxLength: 4 }).map((parts) => parts.join(' ')),
      fc
        .tuple(fc.constantFrom(...blockTags), fc.array(tie('block'), { maxLength: 3 }))
        .map(([tag, inside]) => element(tag, inside.join('\n'))),
    ),
  }));
  return block.map((html) => withoutNesting(numbered(html)));
}

const trees = treesOf({ withKept: true });

function element(tag: string, inside: string): string {
  return `<${tag}>${inside}</${tag.split(' ')[0]}>`;
}

function numbered(html: string): string {
  let count = 0;
  return html.replace(/<([a-z][a-z0-9-]*)/g, (tag) => `${tag} n${count++}`);
}

/** Links in links and paragraphs in paragraphs are not well-formed, and parsed otherwise. */
function withoutNesting(html: string): string {
  return serialize(parseFragment(html));
}

const span = (length: number) =>
  fc.tuple(fc.nat(length), fc.nat(length)).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));

const translations: fc.Arbitrary<TranslatedSentence> = fc.record({
  text: fc
    .array(fc.constantFrom('rot', 'Hund', '<x>', '&', ',', '.', '红', '{x}', '', 'Hello'), { maxLength: 8 })
    .map((words) => words.join(' ')),
  links: fc.option(fc.array(fc.record({ source: span(40), target: span(30) }), { maxLength: 8 }), { nil: undefined }),
});

/** Returns the random translations in turn. */
function inTurn(random: readonly TranslatedSentence[]): TranslateSentences {
  return async (sentences) => sentences.map((_, i) => random[i % random.length]);
}

const same: TranslateSentences = async (sentences) => sentences.map((text) => ({ text }));

/** Tags as they stand, in alphabetical order. */
function tagsOf(html: string): string[] {
  return (html.match(/<!--.*?-->|<\/?[a-z](?:"[^"]*"|[^">])*>/gs) ?? []).sort();
}

type Node = DefaultTreeAdapterTypes.ChildNode;

/** The tree without its texts, and siblings in sentences in alphabetical order, since they may change places. */
function skeleton(nodes: readonly Node[]): string[] {
  return nodes
    .flatMap((node) => {
      if (!('tagName' in node)) return node.nodeName === '#comment' ? ['comment'] : [];
      const attributes = node.attrs.map(({ name, value }) => `${name}=${value}`).join(' ');
      return [`${node.tagName} ${attributes} (${skeleton(node.childNodes).join(', ')})`];
    })
    .sort();
}

/** All text, white space aside. */
function letters(html: string): string {
  const text = (node: Node): string =>
    'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(text).join('') : '';
  return parseFragment(html).childNodes.map(text).join('').replace(/\s+/g, '');
}

/** As it is written if every tag is read where it stands. A parser drops the first line break of <pre>. */
function wellFormed(html: string): string {
  return serialize(parseFragment(html.replace(/(<pre[^>]*>)\n/g, '$1\n\n')));
}

describe('any translations', () => {
  test('each tag of the input is in the output exactly once, with the same nesting', async () => {
    await fc.assert(
      fc.asyncProperty(trees, fc.array(translations, { minLength: 1, maxLength: 5 }), async (html, random) => {
        const output = await translateHtml(html, inTurn(random));
        expect(tagsOf(output)).toEqual(tagsOf(html));
        expect(skeleton(parseFragment(output).childNodes)).toEqual(skeleton(parseFragment(html).childNodes));
        expect(wellFormed(output)).toBe(output);
      }),
      { numRuns: 300 },
    );
  });

  test('no word of the translations is lost or repeated', async () => {
    const links = fc.option(fc.array(fc.record({ source: span(40), target: span(40) }), { maxLength: 8 }), {
      nil: undefined,
    });
    await fc.assert(
      fc.asyncProperty(treesOf({ withKept: false }), links, async (html, random) => {
        const translate: TranslateSentences = async (sentences) =>
          sentences.map((text) => ({ text: text.replace(/[a-z]/g, 'x'), links: random }));
        const output = await translateHtml(html, translate);
        expect(letters(output).length).toBe(letters(html).length);
      }),
      { numRuns: 150 },
    );
  });
});

describe('a translator that returns its input', () => {
  test('changes nothing but white space', async () => {
    await fc.assert(
      fc.asyncProperty(treesOf({ withKept: true, gaps: [' '] }), async (html) => {
        const output = await translateHtml(html, same);
        expect(letters(output)).toBe(letters(html));
        const again = await translateHtml(output, same);
        expect(letters(again)).toBe(letters(html));
      }),
      { numRuns: 150 },
    );
  });
});

describe('malformed tags', () => {
  const soup = fc
    .array(
      fc.constantFrom(
        ...[
          '<b>',
          '</b>',
          '<i x=1>',
          '</i>',
          '<a href=1>',
          '</a>',
          '<p>',
          '</p>',
          '<div>',
          '</div>',
          '<table>',
          '<tr>',
          '<td>',
          '</table>',
          '<li>',
          '<ul>',
        ],
        ...[
          '</ul>',
          '<br>',
          '</br>',
          '<img',
          '>',
          '<code>',
          '</code>',
          '<pre>\n',
          '</pre>',
          '<textarea>',
          '</textarea>',
          '<select>',
          '<option>',
          '</select>',
        ],
        ...[
          '<svg>',
          '<g/>',
          '</svg>',
          '<script>a<b</script>',
          '<title>',
          '</title>',
          '<template>',
          '</template>',
          '<html>',
          '<head>',
          '<body>',
          '<!doctype html>',
        ],
        ...[
          '<!--',
          '-->',
          '&',
          '&amp',
          '&lt;',
          '<',
          '\0',
          '\r\n',
          ' ',
          'Hello world. ',
          'red ',
          'dog',
          '"',
          "'",
          '<button>',
          '<nobr>',
          '<b c=2>',
          '<math>',
          '<mi>',
        ],
      ),
      { maxLength: 25 },
    )
    .map((parts) => parts.join(''));

  test('are parsed as a browser does, and never fail', async () => {
    await fc.assert(
      fc.asyncProperty(soup, fc.array(translations, { minLength: 1, maxLength: 3 }), async (html, random) => {
        await translateHtml(html, inTurn(random));
        const output = await translateHtml(html, same);
        expect(letters(output)).toBe(letters(html));
      }),
      { numRuns: 500 },
    );
  });
});
