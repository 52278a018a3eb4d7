// Translations as lines of output.

import { pharaoh, type TranslatedLine, type Translation } from '../../translate/index.ts';
import type { TranslateFlags } from '../options/translate-flags.ts';
import { oneLine, rounded } from './output.ts';

/**
 * The lines for one line of input, number `index` from 0.
 * - text: `TEXT`; with --alignment `TEXT ||| ALIGNMENT`
 * - text with --n-best above 1, as Moses writes lists: `INDEX ||| TEXT ||| SCORE`, and ` ||| ALIGNMENT` if asked for; up
 *   to n lines, best first
 * - jsonl: one record
 */
export function formatLine(line: TranslatedLine, index: number, flags: TranslateFlags): string[] {
  if (flags.format === 'jsonl') return [JSON.stringify(record(line, flags))];
  const isList = (flags.nBest ?? 1) > 1;
  const shown = isList ? line.translations : line.translations.slice(0, 1);
  return shown.map(({ text, score, alignment }) => {
    const list = isList ? [String(index), oneLine(text), score.toFixed(6)] : [oneLine(text)];
    const links = flags.alignment === undefined ? [] : [pharaoh(alignment?.words ?? [])];
    return [...list, ...links].join(' ||| ');
  });
}

function record({ source, sourcePieces, translations }: TranslatedLine, flags: TranslateFlags) {
  return { source, sourcePieces, translations: translations.map((translation) => entry(translation, flags)) };
}

function entry(translation: Translation, { attention: showsAttention, glossary }: TranslateFlags) {
  const { text, pieces, score, logProbabilities, reason, missingTerms, alignment, attention } = translation;
  return {
    text,
    pieces,
    score: rounded(score),
    logProbabilities: logProbabilities.map(rounded),
    reason,
    ...(glossary === undefined ? {} : { missingTerms }),
    alignment: alignment && {
      pieces: alignment.pieces,
      words: alignment.words.map((link) => [link.source, link.target]),
    },
    ...(showsAttention ? { attention: attention?.map((row) => Array.from(row, rounded)) } : {}),
  };
}
