import { describe, expect, test } from 'vitest';
import { backwards, type WordTranslatorOptions, wordTranslator } from '../../../test/word-translator.ts';
import { textOfHtml, translateHtml } from './translate-html.ts';

const dictionary = {
  The: 'Der',
  the: 'der',
  red: 'rote',
  dog: 'Hund',
  sleeps: 'schläft',
  Hello: 'Hallo',
  world: 'Welt',
  Use: 'Benutze',
  here: 'hier',
  Click: 'Klick',
  now: 'jetzt',
  One: 'Eins',
  two: 'zwei',
  three: 'drei',
  See: 'Siehe',
  and: 'und',
};

function translated(html: string, options: WordTranslatorOptions = { dictionary }): Promise<string> {
  return translateHtml(html, wordTranslator(options));
}

async function asked(html: string): Promise<string[]> {
  const translate = wordTranslator({ dictionary });
  await translateHtml(html, translate);
  return translate.asked;
}

describe('inline tags', () => {
  test.each([
    ['<p>The <b>red</b> dog sleeps.</p>', '<p>Der <b>rote</b> Hund schläft.</p>'],
    ['<p><b>The red dog</b> sleeps.</p>', '<p><b>Der rote Hund</b> schläft.</p>'],
    ['<b>The red dog sleeps.</b>', '<b>Der rote Hund schläft.</b>'],
    ['<p>The <b><i>red</i> dog</b> sleeps.</p>', '<p>Der <b><i>rote</i> Hund</b> schläft.</p>'],
    ['<p>The <b>red</b> <i>dog</i>.</p>', '<p>Der <b>rote</b> <i>Hund</i>.</p>'],
    ['<p>The <b>red</b><i>dog</i>.</p>', '<p>Der <b>red</b><i>dog</i>.</p>'],
    ['<p>"<a href="/x?a=1&amp;b">Hello</a>", world!</p>', '<p>"<a href="/x?a=1&amp;b">Hallo</a>", Welt!</p>'],
    ['<p><my-icon name=x>Hello</my-icon> world</p>', '<p><my-icon name=x>Hallo</my-icon> Welt</p>'],
  ])('%s', async (html, expected) => {
    expect(await translated(html)).toBe(expected);
  });

  test.each([
    ['<p>The <b>red</b> dog.</p>', '<p>Hund <b>rote</b> Der.</p>'],
    ['<p><b>The <i>red</i></b> dog.</p>', '<p>Hund <b><i>rote</i> Der</b>.</p>'],
    ['<p><a>The</a> <b>red</b> dog.</p>', '<p>Hund <b>rote</b> <a>Der</a>.</p>'],
    ['<p>The <img src=x> red dog.</p>', '<p>Hund <img src=x> rote Der.</p>'],
    ['<p>The<!-- c --> red dog.</p>', '<p>Hund rote Der<!-- c -->.</p>'],
  ])('follow their words: %s', async (html, expected) => {
    expect(await translated(html, { dictionary, order: backwards })).toBe(expected);
  });

  test('are placed around one span, the one with most of their words', async () => {
    const order = () => [0, 1, 3, 2];
    expect(await translated('<p><b>One two three</b> now.</p>', { dictionary, order })).toBe(
      '<p><b>Eins zwei</b> jetzt drei.</p>',
    );
  });

  test('are placed around the nearest word if the translation omits their words, so that a link can be clicked', async () => {
    const html = '<p>He rides a <a href="#">bicycle</a>.</p>';
    const rides = { start: 3, end: 8 };
    const links = [
      { source: { start: 0, end: 2 }, target: { start: 0, end: 2 } },
      { source: rides, target: { start: 3, end: 8 } },
      { source: rides, target: { start: 9, end: 12 } },
      { source: { start: 18, end: 19 }, target: { start: 12, end: 13 } },
    ];
    const output = await translateHtml(html, async () => [{ text: 'Er fährt Rad.', links }]);
    expect(output).toBe('<p>Er fährt <a href="#">Rad</a>.</p>');
  });

  test('can span several sentences', async () => {
    expect(await translated('<p>Hello <b>world. The dog</b> sleeps.</p>')).toBe(
      '<p>Hallo <b>Welt. Der Hund</b> schläft.</p>',
    );
  });

  test('in the middle of a word: around the same letters if they are the same, else around the word', async () => {
    expect(await translated('<p>H<sub>2</sub>O here, <b>h</b>ere.</p>')).toBe(
      '<p>H<sub>2</sub>O hier, <b>hier</b>.</p>',
    );
  });

  test('without links they are placed by proportion', async () => {
    const output = await translateHtml('<p>One two <b>three</b></p>', async () => [{ text: 'Eins zwei drei' }]);
    expect(output).toBe('<p>Eins zwei <b>drei</b></p>');
  });

  test('are kept if the translation is empty', async () => {
    expect(await translateHtml('<p>One <b>two</b><img>three</p>', async () => [{ text: '' }])).toMatch(
      /^<p><b><\/b><img><\/p>$/,
    );
  });
});

describe('elements without words', () => {
  test.each([
    ['<p>Hello<br>world.</p>', '<p>Hallo<br>Welt.</p>', ['Hello', 'world.']],
    ['<p><b>Hello<br>world</b> now</p>', '<p><b>Hallo<br>Welt</b> jetzt</p>', ['Hello', 'world now']],
    [
      '<p><img src="a"> Hello <img> world. <img> Hello</p>',
      '<p><img src="a"> Hallo <img> Welt. <img> Hallo</p>',
      ['Hello world.', 'Hello'],
    ],
    ['<p>Hello<img>world</p>', '<p>Hallo<img> Welt</p>', ['Hello world']],
    ['<p>Hel<wbr>lo</p>', '<p>Hallo<wbr></p>', ['Hello']],
    [
      '<a name="top"></a>Hello <i class=icon></i> world',
      '<a name="top"></a>Hallo <i class=icon></i> Welt',
      ['Hello world'],
    ],
    ['<p>Hello<b> </b>world</p>', '<p>Hallo<b> </b> Welt</p>', ['Hello world']],
    [
      '<p>world<sup><a href="#1">[1]</a></sup>. Hello<sup>2</sup></p>',
      '<p>Welt<sup><a href="#1">[1]</a></sup>. Hallo<sup>2</sup></p>',
      ['world.', 'Hello'],
    ],
    ['Hello <!-- a > b --> world', 'Hallo <!-- a > b --> Welt', ['Hello world']],
    ['<p><a href=x><img></a> Hello</p>', '<p><a href=x><img></a> Hallo</p>', ['Hello']],
  ])('%s', async (html, expected, sentences) => {
    expect(await translated(html)).toBe(expected);
    expect(await asked(html)).toEqual(sentences);
  });
});

describe('untranslated elements', () => {
  test.each([
    '<pre>\n\nHello <b>world</b>\n</pre>',
    '<script>if (a < b) alert("<p>Hello</p>")</script>',
    '<style>p > b { content: "Hello" }</style>',
    '<textarea>\nHello</textarea>',
    '<select><option>Hello</select>',
    '<svg viewBox="0 0 1 1"><text>Hello</text><path d="M0"/></svg>',
    '<math><mi>Hello</mi></math>',
    '<template><p>Hello</p></template>',
    '<noscript><p>Hello</p></noscript>',
    '<p translate="no">Hello <b>world</b></p>',
    '<div class="a notranslate">Hello<p>world</p></div>',
    '<p><code>Hello world</code></p>',
    '<p><span translate=no>Hello</span> 42</p>',
    '<!doctype html><!-- Hello --><html><head><meta content="Hello"></head><body><img alt="Hello" title=\'world\'></body></html>\n',
    '<P Class=x\n>42</P ><BR/>',
    '',
    ' \n',
    '&nbsp;&copy; &lt;42&gt;',
    '{name} https://example.org/a?b&c',
  ])('%s', async (html) => {
    const translate = wordTranslator({ dictionary });
    expect(await translateHtml(html, translate)).toBe(html);
    expect(translate.asked).toEqual([]);
  });

  test('code is part of its sentence, and keeps its text', async () => {
    const html = '<p>Use <code class=x>the  <b>dog</b></code> now.</p>';
    expect(await asked(html)).toEqual(['Use the dog now.']);
    expect(await translated(html)).toBe('<p>Benutze <code class=x>the  <b>dog</b></code> jetzt.</p>');
    expect(await translated(html, { order: backwards })).toBe('<p>now <code class=x>the  <b>dog</b></code> Use.</p>');
  });

  test('long code ends its sentence', async () => {
    const code = `<code>${'dog '.repeat(20)}</code>`;
    expect(await translated(`<p>Use ${code} now.</p>`)).toBe(`<p>Benutze ${code} jetzt.</p>`);
  });

  test('translate="yes" inside of translate="no"', async () => {
    const html =
      '<div translate=no>Hello <b translate=yes>red dog</b><p translate="yes">Hello <code translate>world</code></p></div>';
    expect(await translated(html)).toBe(
      '<div translate=no>Hello <b translate=yes>rote Hund</b><p translate="yes">Hallo <code translate>Welt</code></p></div>',
    );
  });

  test('addresses and placeholders in sentences', async () => {
    const html = '<p>Hello {name}, See https://a.org/?b&amp;c=<b>%1$s</b>.</p>';
    const spoil = { ...dictionary, '{name}': '{Name}', '%1$s': '% s' };
    expect(await translated(html, { dictionary: spoil })).toBe(
      '<p>Hallo {name}, Siehe https://a.org/?b&amp;c=<b>%1$s</b>.</p>',
    );
  });
});

describe('documents', () => {
  test('a whole page: everything but the sentences is unchanged', async () => {
    const page = (hello: string, title: string, item: string) =>
      `\ufeff<!DOCTYPE html>\r\n<!-- c -->\n<html LANG='en'>\n<head>\n<title>${title}</title>\n<script>"<b>"</script></head>\n\n<body class=x>\n  <ul>\n    <li>${item}\n    <li><a href=/>${item}</a>\n  </ul>\n<table><tr><td>${hello}<td> ${hello} </table>\n</body>\n</html>\n`;
    expect(await translated(page('Hello', 'Hello &amp; world', 'red dog'))).toBe(
      page('Hallo', 'Hallo &amp; Welt', 'rote Hund'),
    );
  });

  test('fragments stay fragments, rows of tables too', async () => {
    expect(await translated('<tr><td>Hello</td></tr>')).toBe('<tr><td>Hallo</td></tr>');
    expect(await translated('Hello <b>world</b>')).toBe('Hallo <b>Welt</b>');
  });

  test('crossed and open tags are closed as a browser does', async () => {
    expect(await translated('<p>The <b>red <i>dog</b> sleeps</i>.</p>')).toBe(
      '<p>Der <b>rote <i>Hund</i></b> <i>schläft</i>.</p>',
    );
    expect(await translated('<p><b>Hello<p>world')).toBe('<p><b>Hallo</b></p><p><b>Welt</b></p>');
    expect(await translated('Hello</b> world</p>')).toBe('Hallo Welt</p>');
  });

  test('buttons, cells and inputs end sentences', async () => {
    expect(await asked('<button>Hello</button><button>world</button> One <input> two')).toEqual([
      'Hello',
      'world',
      'One',
      'two',
    ]);
    expect(await asked('<span>Hello <div>world</div> now</span>')).toEqual(['Hello', 'world', 'now']);
  });

  test('elements that are nested too deeply are refused', async () => {
    await expect(translated('<div>'.repeat(1200))).rejects.toThrow('html: elements must be nested at most 1000 deep');
    await expect(translated(`${'<b>'.repeat(900)}Hello${'</b>'.repeat(900)}`)).resolves.toContain('Hallo');
  });

  test('plain text is translated as text', async () => {
    expect(await translated('Hello < world & <p>')).toBe('Hallo &lt; Welt &amp; <p>');
    expect(await translated('a < b > c & d')).toBe('a &lt; b &gt; c &amp; d');
    expect(await translated('One & two.\nHello')).toBe('Eins &amp; zwei.\nHallo');
  });

  test('from English to Chinese and back', async () => {
    const chinese = { Hello: '你好', world: '世界', See: '看', dog: '狗', '.': '。' };
    expect(
      await translated('<p>Hello <b>world</b>. See the <i>dog</i>.</p>', { dictionary: chinese, isUnspaced: true }),
    ).toBe('<p>你好<b>世界</b>。看the<i>狗</i>。</p>');
    const english = { 你好: 'Hello', 世界: 'world', 再见: 'Bye', '。': '.' };
    expect(await translated('<p>你好。<b>再见</b>。</p>', { dictionary: english })).toBe('<p>Hello. <b>Bye</b>.</p>');
  });
});

describe('what users of LibreTranslate and Firefox reported', () => {
  test('LibreTranslate#806: nested inline tags are one sentence', async () => {
    const html =
      '<a href="#" target="_blank" rel="noopener">\n  <em>\n    <span style="color: #ff0000;">\n     See the red dog\n    </span>\n  </em>\n  <em>\n    <span style="color: #00ff00;">\n      and the world here!\n    </span>\n  </em>\n</a>';
    expect(await asked(html)).toEqual(['See the red dog and the world here!']);
    expect(await translated(html)).toBe(
      '<a href="#" target="_blank" rel="noopener">\n  <em>\n    <span style="color: #ff0000;">\n     Siehe der rote Hund</span></em> <em><span style="color: #00ff00;">und der Welt hier!\n    </span>\n  </em>\n</a>',
    );
  });

  test('LibreTranslate#288: line breaks and tabs in a paragraph do not end a sentence', async () => {
    const html =
      '<html lang="de">\n\t<head>\n\t</head>\n\t<body>\n\t<p>\n\t\tHello\n\t\tworld, the\r\n\t\tdog sleeps.\n\t</p>\n\t</body>\n</html>\n';
    expect(await asked(html)).toEqual(['Hello world, the dog sleeps.']);
    expect(await translated(html)).toBe(
      '<html lang="de">\n\t<head>\n\t</head>\n\t<body>\n\t<p>\n\t\tHallo Welt, der Hund schläft.\n\t</p>\n\t</body>\n</html>\n',
    );
  });

  test.each(['p', 'div', 'li', 'b', 'span', 'h1', 'td'])('LibreTranslate#144: one word in <%s>', async (tag) => {
    expect(await translated(`<${tag}>Hello</${tag}>`)).toBe(`<${tag}>Hallo</${tag}>`);
  });

  test('LibreTranslate#636: quotes of attributes are preserved', async () => {
    const html = (text: string) => `${text} <a href="" onclick="checkJs();" data-x='<b>"'>${text}</a> ${text}`;
    expect(await translated(html('Hello'))).toBe(html('Hallo'));
  });

  test('firefox-translations#51: escaped characters stay escaped', async () => {
    const html = '<p>Hello &lt; world &amp;amp; &lt;p&gt; &quot;dog&quot;</p>';
    expect(await asked(html)).toEqual(['Hello < world &amp; <p> "dog"']);
    expect(await translated(html)).toBe('<p>Hallo &lt; Welt &amp;amp; &lt;p&gt; "Hund"</p>');
  });
});

test('textOfHtml is the translatable text, a line for each block', () => {
  expect(textOfHtml('<title>A &amp; b</title><p>Hello <b>world</b><pre>x</pre><p translate=no>y<li>two<br>three')).toBe(
    'A & b\nHello world\ntwo three',
  );
});
