// tokenizer.json in the format of Hugging Face tokenizers (version 1.0): a BPE model with byte fallback, laid out as Llama's.
// Reading accepts what we write, and what the Python package saves after loading that; anything else is refused by name.

import { HeedError } from '../base/error.ts';
import { type Normalization, type NormalizerOptions, unicodeForm } from './normalizer.ts';
import {
  bytePieces,
  checkControlTokens,
  type Merge,
  reservedPieces,
  spaceMark,
  Vocabulary,
  type VocabularyParts,
} from './pieces.ts';
import { type WordSplit, wordPatterns } from './words.ts';

/** Everything that determines a tokenizer. */
export interface TokenizerParts extends VocabularyParts, Required<NormalizerOptions> {
  readonly split: WordSplit;
}

type JsonValue = undefined | null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** The file's content, ready for `JSON.stringify`. */
export function writeTokenizerFile(parts: TokenizerParts): JsonObject {
  const { pieces } = new Vocabulary(parts);
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: parts.controlTokens.map(addedToken),
    normalizer: normalizerJson(parts),
    pre_tokenizer: preTokenizerJson(parts.split),
    post_processor: null,
    decoder: decoderJson,
    model: { ...modelJson, vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])), merges: parts.merges },
  };
}

/**
 * The tokenizer that a file describes.
 * @param text the file's content
 * @param place the file's name, for error messages
 * @throws HeedError if the file is cut off, is not one of ours, or contradicts itself
 */
export function readTokenizerFile(text: string, place: string): TokenizerParts {
  const file = parseJson(text, place);
  const { added_tokens, normalizer, pre_tokenizer, decoder, model, ...rest } = asObject(file, place, 'the file');
  expectEqual(rest, { version: '1.0', truncation: null, padding: null, post_processor: null }, place, 'the file');
  expectEqual(decoder, decoderJson, place, 'decoder');
  const { vocab, merges, ...settings } = asObject(model, place, 'model');
  expectEqual(settings, modelJson, place, 'model');

  const controlTokens = readAddedTokens(added_tokens, place);
  const pieces = readVocabulary(vocab, place);
  const firstCharacterId = controlTokens.length + bytePieces.length;
  const parts = {
    controlTokens,
    characters: pieces.slice(firstCharacterId).filter((piece) => [...piece].length === 1),
    merges: readMerges(merges, new Set(pieces), reservedPieces(controlTokens), place),
    split: findSetting(['categories', 'spaces'] as const, preTokenizerJson, pre_tokenizer, place, 'pre_tokenizer'),
    ...findSetting(normalizerSettings, normalizerJson, normalizer, place, 'normalizer'),
  };
  expectSameVocabulary(pieces, new Vocabulary(parts).pieces, place);
  return parts;
}

const modelJson = {
  type: 'BPE',
  dropout: null,
  unk_token: null,
  continuing_subword_prefix: null,
  end_of_word_suffix: null,
  fuse_unk: false,
  byte_fallback: true,
  ignore_merges: false,
};

const decoderJson: JsonValue = {
  type: 'Sequence',
  decoders: [
    { type: 'Replace', pattern: { String: spaceMark }, content: ' ' },
    { type: 'ByteFallback' },
    { type: 'Fuse' },
    { type: 'Strip', content: ' ', start: 1, stop: 0 },
  ],
};

function addedToken(content: string, id: number): JsonObject {
  return { id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
}

/** In these files the normaliser adds the space before a text and spells spaces. */
function normalizerJson({ normalization, lowercase }: Required<NormalizerOptions>): JsonValue {
  const normalizers: JsonObject[] = [];
  if (normalization !== 'none') normalizers.push({ type: unicodeForm[normalization] });
  if (lowercase) normalizers.push({ type: 'Lowercase' });
  normalizers.push({ type: 'Prepend', prepend: spaceMark });
  normalizers.push({ type: 'Replace', pattern: { String: ' ' }, content: spaceMark });
  return { type: 'Sequence', normalizers };
}

const normalizerSettings = (['none', 'nfc', 'nfkc'] satisfies Normalization[]).flatMap((normalization) => [
  { normalization, lowercase: false },
  { normalization, lowercase: true },
]);

function preTokenizerJson(split: WordSplit): JsonValue {
  const regex = wordPatterns[split].replaceAll(' ', spaceMark);
  return { type: 'Split', pattern: { Regex: regex }, behavior: 'Isolated', invert: false };
}

function parseJson(text: string, place: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    const reason = (cause as Error).message.replace(/\s+/g, ' '); // may quote lines of the file
    const message = `is not JSON (${reason}); the file is cut off or is no tokenizer.json.`;
    throw new HeedError(place, message, { cause });
  }
}

function readAddedTokens(value: JsonValue, place: string): string[] {
  const tokens = asArray(value, place, 'added_tokens').map((entry, id) => {
    const { content } = asObject(entry, place, `added_tokens[${id}]`);
    const token = asString(content, place, `added_tokens[${id}].content`);
    expectEqual(entry, addedToken(token, id), place, `added_tokens[${id}]`);
    return token;
  });
  checkControlTokens(place, tokens);
  return tokens;
}

/** The pieces in the order of their ids, which must run from 0 without a gap. */
function readVocabulary(value: JsonValue, place: string): string[] {
  const entries = Object.entries(asObject(value, place, 'model.vocab'));
  const pieces: (string | undefined)[] = new Array(entries.length).fill(undefined);
  for (const [piece, id] of entries) {
    if (typeof id !== 'number' || !(id in pieces) || pieces[id] !== undefined)
      throw new HeedError(
        place,
        `model.vocab: ids must run from 0 to ${entries.length - 1}, each once, got ${show(id)} for ${show(piece)}.`,
      );
    pieces[id] = piece;
  }
  return pieces as string[];
}

function readMerges(
  value: JsonValue,
  pieces: ReadonlySet<string>,
  reserved: ReadonlySet<string>,
  place: string,
): Merge[] {
  const seen = new Set<string>();
  return asArray(value, place, 'model.merges').map((entry, rank) => {
    const name = `model.merges[${rank}]`;
    const pair = asArray(entry, place, name);
    if (pair.length !== 2) throw new HeedError(place, `${name}: a merge is a pair of pieces, got ${show(entry)}.`);
    const left = asString(pair[0], place, name);
    const right = asString(pair[1], place, name);
    for (const piece of [left, right]) {
      if (!pieces.has(piece)) throw new HeedError(place, `${name}: ${show(piece)} is not in the vocabulary.`);
      if (reserved.has(piece)) throw new HeedError(place, `${name}: ${show(piece)} must not be merged with anything.`);
    }
    if (reserved.has(left + right))
      throw new HeedError(place, `${name}: no merge may spell ${show(left + right)}, a control or byte token.`);
    const key = show(pair);
    if (seen.has(key)) throw new HeedError(place, `${name}: ${key} is listed twice.`);
    seen.add(key);
    return [left, right];
  });
}

/** Ids follow from the parts, so a file with other ids has a foreign, missing or misplaced piece. */
function expectSameVocabulary(pieces: readonly string[], expected: readonly string[], place: string): void {
  if (!pieces.includes(spaceMark)) throw new HeedError(place, `model.vocab: the piece ${spaceMark} is missing.`);
  const unusable = pieces.find((piece) => /[ \p{Surrogate}]/u.test(piece));
  if (unusable !== undefined)
    throw new HeedError(
      place,
      `model.vocab: a piece holds no space (it is ▁) and no lone surrogate, got ${show(unusable)}.`,
    );
  for (let id = 0; id < Math.max(pieces.length, expected.length); id++)
    if (pieces[id] !== expected[id])
      throw new HeedError(
        place,
        `model.vocab: id ${id} must be ${show(expected[id])} (control tokens, bytes, characters, merges, in this order), ` +
          `got ${show(pieces[id])}.`,
      );
}

/** The setting whose JSON is `value`. */
function findSetting<T>(
  settings: readonly T[],
  toJson: (setting: T) => JsonValue,
  value: JsonValue,
  place: string,
  name: string,
): T {
  const found = settings.find((setting) => isEqual(value, toJson(setting)));
  if (found === undefined)
    throw new HeedError(
      place,
      `${name}: not one that this program writes; learn the tokenizer anew. Got ${show(value)}.`,
    );
  return found;
}

function expectEqual(value: JsonValue, expected: JsonValue, place: string, name: string): void {
  if (!isEqual(value, expected))
    throw new HeedError(place, `${name} must be ${show(expected)}, got ${show(value)}; this is no tokenizer of ours.`);
}

/** Equal whatever the order of keys. */
function isEqual(a: JsonValue, b: JsonValue): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))];
  return left.length === right.size && left.every(([key, value]) => right.has(key) && isEqual(value, right.get(key)));
}

function asObject(value: JsonValue, place: string, name: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new HeedError(place, `${name} must be an object, got ${show(value)}; the file is no tokenizer.json.`);
}

function asArray(value: JsonValue, place: string, name: string): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  throw new HeedError(place, `${name} must be a list, got ${show(value)}; the file is no tokenizer.json.`);
}

function asString(value: JsonValue, place: string, name: string): string {
  if (typeof value === 'string') return value;
  throw new HeedError(place, `${name} must be text, got ${show(value)}; the file is no tokenizer.json.`);
}

/** JSON, shortened for a message. */
function show(value: JsonValue): string {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length <= 200 ? json : `${json.slice(0, 200)}…`;
}
