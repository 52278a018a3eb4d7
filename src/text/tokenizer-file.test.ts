import { describe, expect, it } from 'vitest';
import { isHeedError } from '../base/error.ts';
import { learnTokenizer, Tokenizer } from './index.ts';

const lines = ['the dog and the cat', 'the dog. the cat!', '2012 2019 __proto__ __proto__'];
const options = { merges: 30, split: 'spaces', controlTokens: ['>>de<<'] } as const;
const text = JSON.stringify(learnTokenizer(lines, options));

/** The parts of the file that the tests change. */
interface File {
  [key: string]: unknown;
  added_tokens: { id: number; content: string; special: boolean }[];
  normalizer: { type: string; normalizers: unknown[] };
  decoder: { decoders: unknown[] };
  model: { [key: string]: unknown; vocab: Record<string, unknown>; merges: unknown[] };
}

/** The error that a changed file gives. */
function errorOf(change: (file: File) => void): string {
  const file = JSON.parse(text) as File;
  change(file);
  return errorOfText(JSON.stringify(file));
}

function errorOfText(changed: string): string {
  try {
    Tokenizer.fromJSON(changed, 'a/tokenizer.json');
  } catch (error) {
    if (isHeedError(error)) return error.message;
    throw error;
  }
  return 'no error';
}

describe('tokenizer.json', () => {
  it.each([
    { merges: 30 },
    { merges: 0 },
    options,
    { vocabularySize: 290, lowercase: true },
    { merges: 30, normalization: 'nfc' },
    { merges: 30, normalization: 'nfkc', lowercase: true },
  ] as const)('round-trips: %j', (each) => {
    const tokenizer = learnTokenizer(lines, each);
    const again = Tokenizer.fromJSON(JSON.stringify(tokenizer), 'test');
    expect(again).toEqual(tokenizer);
    expect(JSON.stringify(again)).toBe(JSON.stringify(tokenizer));
  });

  it('may be indented and have its keys in another order', () => {
    const reversed = (value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([key, inner]) => [key, reversed(inner)]),
          )
        : value;
    const changed = JSON.stringify(reversed(JSON.parse(text)), undefined, 2);
    expect(Tokenizer.fromJSON(changed, 'test')).toEqual(Tokenizer.fromJSON(text, 'test'));
  });

  it('keeps pieces that are names of JavaScript', () => {
    const tokenizer = Tokenizer.fromJSON(text, 'test');
    expect(tokenizer.pieces(tokenizer.encode('__proto__'))).toEqual(['▁__proto__']);
  });
});

describe('reading refuses', () => {
  it('a file that is cut off, anywhere', () => {
    const indented = JSON.stringify(JSON.parse(text), undefined, 2);
    for (const whole of [text, indented])
      for (let length = 0; length < whole.length; length += 97)
        expect(errorOfText(whole.slice(0, length))).toMatch(
          /^a\/tokenizer\.json: is not JSON \([^\n]*\); the file is cut off or is no tokenizer\.json\.$/,
        );
    expect(errorOfText(`${indented.slice(0, 500)}\n!\n${indented.slice(500)}`)).toMatch(
      /^a\/tokenizer\.json: is not JSON [^\n]*$/,
    );
  });

  it.each([
    ['null', 'a/tokenizer.json: the file must be an object, got null; the file is no tokenizer.json.'],
    ['[]', 'a/tokenizer.json: the file must be an object, got []'],
    ['"x"', 'a/tokenizer.json: the file must be an object, got "x"'],
    ['{}', 'a/tokenizer.json: the file must be {"version":"1.0"'],
    ['{"model_type":"bert"}', 'a/tokenizer.json: the file must be {"version":"1.0"'],
  ])('another file: %s', (changed, message) => {
    expect(errorOfText(changed)).toContain(message);
  });

  it.each<[string, (file: File) => void, string]>([
    [
      'version',
      (file) => {
        file.version = '2.0';
      },
      'the file must be {"version":"1.0"',
    ],
    [
      'unknown key',
      (file) => {
        file.extra = 1;
      },
      '"extra":1}; this is no tokenizer of ours.',
    ],
    [
      'post-processor',
      (file) => {
        file.post_processor = { type: 'TemplateProcessing' };
      },
      'the file must be {"version":"1.0"',
    ],
    [
      'decoder',
      (file) => {
        file.decoder.decoders.pop();
      },
      'decoder must be {"type":"Sequence"',
    ],
    [
      'normaliser',
      (file) => {
        file.normalizer.normalizers.unshift({ type: 'NFD' });
      },
      'normalizer: not one that this program writes',
    ],
    [
      'pre-tokeniser',
      (file) => {
        file.pre_tokenizer = { type: 'Whitespace' };
      },
      'pre_tokenizer: not one that this program writes',
    ],
    [
      'model',
      (file) => {
        file.model.type = 'WordPiece';
      },
      'model must be {"type":"BPE"',
    ],
    [
      'model setting',
      (file) => {
        file.model.byte_fallback = false;
      },
      'model must be {"type":"BPE"',
    ],
    [
      'missing setting',
      (file) => {
        delete file.model.fuse_unk;
      },
      'model must be {"type":"BPE"',
    ],
    [
      'no model',
      (file) => {
        delete (file as Partial<File>).model;
      },
      'model must be an object, got nothing',
    ],
    [
      'no vocabulary',
      (file) => {
        delete (file.model as { vocab?: unknown }).vocab;
      },
      'model.vocab must be an object, got nothing',
    ],
    [
      'no merges',
      (file) => {
        file.model.merges = {} as unknown[];
      },
      'model.merges must be a list, got {}',
    ],
    [
      'no control tokens',
      (file) => {
        file.added_tokens = [];
      },
      'control token 0 must be <pad>, got undefined.',
    ],
    [
      'control tokens swapped',
      (file) => {
        file.added_tokens[1].content = '</s>';
      },
      'control token 1 must be <s>, got </s>.',
    ],
    [
      'control token id',
      (file) => {
        file.added_tokens[3].id = 9;
      },
      'added_tokens[3] must be {"id":3',
    ],
    [
      'control token not special',
      (file) => {
        file.added_tokens[3].special = false;
      },
      'added_tokens[3] must be {"id":3',
    ],
    [
      'control token no text',
      (file) => {
        Object.assign(file.added_tokens[3], { content: 7 });
      },
      'added_tokens[3].content must be text, got 7',
    ],
    [
      'control token no object',
      (file) => {
        Object.assign(file.added_tokens, { 3: null });
      },
      'added_tokens[3] must be an object, got null',
    ],
    [
      'an id missing',
      (file) => {
        delete file.model.vocab['<0x41>'];
      },
      'model.vocab: ids must run from 0 to ',
    ],
    [
      'an id twice',
      (file) => {
        file.model.vocab['<0x41>'] = 0;
      },
      'each once, got 0 for "<0x41>".',
    ],
    [
      'an id no number',
      (file) => {
        file.model.vocab['<0x41>'] = '69';
      },
      'each once, got "69" for "<0x41>".',
    ],
    [
      'an id no whole number',
      (file) => {
        file.model.vocab['<0x41>'] = 69.5;
      },
      'each once, got 69.5 for "<0x41>".',
    ],
    [
      'bytes swapped',
      (file) => {
        Object.assign(file.model.vocab, { '<0x41>': 70, '<0x42>': 69 });
      },
      'model.vocab: id 69 must be "<0x41>" (control tokens, bytes, characters, merges, in this order), got "<0x42>".',
    ],
    [
      'a foreign piece',
      (file) => {
        file.model.vocab.foreign = Object.keys(file.model.vocab).length;
      },
      'must be nothing (control tokens, bytes, characters, merges, in this order), got "foreign".',
    ],
    [
      'no ▁',
      (file) => {
        renamePiece(file, '▁', '☃');
        file.model.merges = [];
      },
      'model.vocab: the piece ▁ is missing.',
    ],
    [
      'a plain space',
      (file) => {
        renamePiece(file, 't', ' ');
        file.model.merges = [];
      },
      'a piece holds no space (it is ▁) and no lone surrogate, got " ".',
    ],
    [
      'a lone surrogate',
      (file) => {
        renamePiece(file, 't', '\uD800');
        file.model.merges = [];
      },
      'no lone surrogate, got "\\ud800".',
    ],
    [
      'a merge missing',
      (file) => {
        file.model.merges.splice(2, 1);
      },
      'in this order), got "',
    ],
    [
      'merges swapped',
      (file) => {
        file.model.merges.reverse();
      },
      'in this order), got "',
    ],
    [
      'a merge no pair',
      (file) => {
        file.model.merges[0] = ['t'];
      },
      'model.merges[0]: a merge is a pair of pieces, got ["t"].',
    ],
    [
      'a merge of the old kind',
      (file) => {
        file.model.merges[0] = 't h';
      },
      'model.merges[0] must be a list, got "t h"',
    ],
    [
      'a merge of numbers',
      (file) => {
        file.model.merges[0] = [1, 2];
      },
      'model.merges[0] must be text, got 1',
    ],
    [
      'a merge of strangers',
      (file) => {
        file.model.merges[0] = ['t', '☃'];
      },
      'model.merges[0]: "☃" is not in the vocabulary.',
    ],
    [
      'a merge of a control token',
      (file) => {
        file.model.merges[0] = ['t', '</s>'];
      },
      'model.merges[0]: "</s>" must not be merged with anything.',
    ],
    [
      'a merge of a byte',
      (file) => {
        file.model.merges[0] = ['<0x41>', 't'];
      },
      'model.merges[0]: "<0x41>" must not be merged with anything.',
    ],
    [
      'a merge twice',
      (file) => {
        file.model.merges[1] = file.model.merges[0];
      },
      'is listed twice.',
    ],
    ['a merge that spells a control token', spellControlToken, 'no merge may spell "</s>", a control or byte token.'],
  ])('%s', (_, change, message) => {
    expect(errorOf(change)).toContain(message);
    expect(errorOf(change)).toMatch(/^a\/tokenizer\.json: [^\n]{1,700}$/);
  });
});

function renamePiece(file: File, piece: string, name: string): void {
  file.model.vocab = Object.fromEntries(
    Object.entries(file.model.vocab).map(([key, id]) => [key === piece ? name : key, id]),
  );
}

/** Adds `</s` and `>` as pieces, so that only the merge itself is wrong. */
function spellControlToken({ model }: File): void {
  for (const piece of ['</s', '>']) model.vocab[piece] = Object.keys(model.vocab).length;
  model.merges.push(['</s', '>']);
}
