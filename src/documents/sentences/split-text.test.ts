import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinSentences, splitText } from './split-text.ts';

function sentences(text: string, language?: string, maxLength?: number): string[] {
  return splitText(text, { language, maxLength }).sentences.map((sentence) => sentence.text);
}

/** Any Unicode strings, and strings of typical parts of sentences. */
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        ...[
          'Dr',
          '.',
          '!',
          '?',
          '…',
          ' ',
          '  ',
          '\n',
          '\r\n',
          '\u2028',
          '\u0085',
          '\u00a0',
          '\ufeff',
          '\0',
          '"',
          '“',
          '”',
          '(',
          ')',
        ],
        ...[
          '。',
          '！',
          '，',
          '「',
          '」',
          '你好',
          '3',
          '1,234.56',
          'a',
          'B',
          'e\u0301',
          '👩‍👩‍👧',
          '\ud83d',
          'https://a.org/b?c=d.',
          'x@y.org',
          '%1$s',
        ],
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join('')),
);
const languages = fc.constantFrom(undefined, 'en', 'de', 'zh', 'th', 'not a language', '');

describe('splitText loses nothing', () => {
  test('joinSentences restores the text', () => {
    fc.assert(
      fc.property(texts, languages, fc.integer({ min: 1, max: 60 }), (text, language, maxLength) => {
        expect(joinSentences(splitText(text, { language, maxLength }))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test('sentences have no white space at their ends, and separators nothing else', () => {
    fc.assert(
      fc.property(texts, languages, (text, language) => {
        const { lead, sentences } = splitText(text, { language });
        for (const space of [lead, ...sentences.map(({ separator }) => separator)])
          expect(space).toMatch(/^[\s\u0085]*$/u);
        for (const sentence of sentences) {
          expect(sentence.text).toMatch(/^[^\s\u0085]/u);
          expect(sentence.text).toMatch(/[^\s\u0085]$/u);
          expect(sentence.text).not.toMatch(/[\n\r\v\f\u0085\u2028\u2029]/u);
        }
      }),
      { numRuns: 300 },
    );
  });

  test.each(['', ' ', '\t', '\n\n', '\r\n', '\u00a0\u202f', '\ufeff', '\u0085'])(
    'blank: %j has no sentence',
    (text) => {
      expect(splitText(text)).toEqual({ lead: text, sentences: [] });
    },
  );
});

describe('sentences', () => {
  test('full stops, question marks, exclamation marks, ellipses', () => {
    expect(sentences('It is. Is it? It is! Wait... what? So… yes.')).toEqual([
      'It is.',
      'Is it?',
      'It is!',
      'Wait... what?',
      'So… yes.',
    ]);
  });

  test('abbreviations and initials end no sentence', () => {
    expect(
      sentences(
        'Dr. Smith met Mr. and Mrs. Jones, e.g. Tom. See No. 5 and Fig. 3. J. R. R. Tolkien wrote. The U.S. Army came.',
        'en',
      ),
    ).toEqual([
      'Dr. Smith met Mr. and Mrs. Jones, e.g. Tom.',
      'See No. 5 and Fig. 3.',
      'J. R. R. Tolkien wrote.',
      'The U.S. Army came.',
    ]);
  });

  test('"No." is an answer where no number follows', () => {
    expect(sentences('No. I am not.', 'en')).toEqual(['No.', 'I am not.']);
  });

  test('German ordinals and spaced abbreviations', () => {
    expect(sentences('Am 3. Oktober ist frei. Das kostet z. B. 5 Euro. Siehe Abb. 3.', 'de')).toEqual([
      'Am 3. Oktober ist frei.',
      'Das kostet z. B. 5 Euro.',
      'Siehe Abb. 3.',
    ]);
    expect(sentences('He came in 3. Then he left.', 'en')).toEqual(['He came in 3.', 'Then he left.']);
  });

  test('without a language, the abbreviations of all apply', () => {
    expect(sentences('Mr. A met Mme. B bzw. Herrn Dr. C.')).toHaveLength(1);
  });

  test('numbers, lists, times', () => {
    expect(sentences('It is 1,234.56 EUR at 3.30 p.m. now. 1. First. 2. Second.', 'en')).toEqual([
      'It is 1,234.56 EUR at 3.30 p.m. now.',
      '1. First.',
      '2. Second.',
    ]);
  });

  test('quoted speech does not end the sentence around it', () => {
    expect(sentences('He said "Go!" and left. "Really?" she asked. (He did.) "Stop!" They stopped.')).toEqual([
      'He said "Go!" and left.',
      '"Really?" she asked.',
      '(He did.)',
      '"Stop!"',
      'They stopped.',
    ]);
  });

  test('addresses are not split', () => {
    expect(sentences('See https://example.com/a.b?C=d. Mail me@x.org. Good.')).toEqual([
      'See https://example.com/a.b?C=d.',
      'Mail me@x.org.',
      'Good.',
    ]);
  });

  test('Chinese and Japanese need no space, and opening quotes belong to what follows', () => {
    expect(sentences('我今天很好。你呢？他来了。“好！”他说。是的……再见。', 'zh')).toEqual([
      '我今天很好。',
      '你呢？',
      '他来了。',
      '“好！”',
      '他说。',
      '是的……再见。',
    ]);
    expect(sentences('你好。（再见！）【一】{name}。', 'zh')).toEqual(['你好。', '（再见！）', '【一】{name}。']);
    expect(sentences('你好!（再见）'), 'zh').toEqual(['你好!', '（再见）']);
    expect(sentences('你好!再见.OK')).toEqual(['你好!', '再见.OK']);
    expect(sentences('「行く。」と言った。行った。', 'ja')).toContain('行った。');
  });

  test('Arabic and Hindi', () => {
    expect(sentences('مرحبا. كيف حالك؟ أنا بخير.', 'ar')).toHaveLength(3);
    expect(sentences('यह एक है। यह दो है।', 'hi')).toHaveLength(2);
  });

  test('every line break ends a sentence, and is kept', () => {
    const { lead, sentences } = splitText('\n- one\r\n- two\n\n three\u2028four');
    expect(lead).toBe('\n');
    expect(sentences).toEqual([
      { text: '- one', separator: '\r\n' },
      { text: '- two', separator: '\n\n ' },
      { text: 'three', separator: '\u2028' },
      { text: 'four', separator: '' },
    ]);
  });
});

describe('over-long sentences', () => {
  test('are split at the end of a clause, else at a comma, else between words', () => {
    const text = 'one two three, four five six; seven eight nine ten eleven twelve, thirteen fourteen';
    expect(sentences(text, 'en', 40)).toEqual([
      'one two three, four five six;',
      'seven eight nine ten eleven twelve,',
      'thirteen fourteen',
    ]);
    expect(sentences('ha '.repeat(40), 'en', 30)).toEqual(Array(4).fill('ha ha ha ha ha ha ha ha ha ha'));
  });

  test('are not split at a comma in a number', () => {
    expect(sentences('aaaa bbbb cccc 1,234,567,890 dddd eeee', 'en', 24).join(' ')).toContain('1,234,567,890');
  });

  test('a Chinese character counts as three, and is split between words', () => {
    expect(sentences('我今天很好，我今天很好我今天很好，我今天很好我今天很好。', 'zh', 60)).toEqual([
      '我今天很好，我今天很好我今天很好，',
      '我今天很好我今天很好。',
    ]);
  });

  test('no part is too long, and no character is split, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', ',', '😀', 'x', ';', '-'), maxLength: 200 }), (text) => {
        for (const part of sentences(text, 'en', 20)) {
          expect(part.length).toBeLessThanOrEqual(20);
          expect(part).not.toMatch(/\p{Surrogate}/u);
        }
      }),
    );
  });

  test('a 400-word sentence has parts of at most 400 characters', () => {
    const parts = sentences(Array.from({ length: 400 }, (_, i) => `word${i}`).join(' '));
    expect(parts.length).toBeGreaterThan(5);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(400);
  });

  test('an address longer than that stays whole', () => {
    const address = `https://example.com/${'b'.repeat(500)}`;
    expect(sentences(`see ${address} there`)).toContain(address);
  });
});
