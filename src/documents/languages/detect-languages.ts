// Language detection by script and by letter n-grams (those of eld, 60 languages).

import { withoutKept } from '../kept.ts';
import { scriptShare } from './script-share.ts';

export interface DetectedLanguage {
  readonly language: string;
  /** In whole percent. */
  readonly confidence: number;
}

/** Characters that are examined; more do not improve the result. */
const sampleLength = 4000;
/** The detector reads only about 350 bytes of its input, so it gets the sample in parts. */
const partPattern = /.{1,300}/gsu;
/** Prior odds of a known language against another one. */
const knownPrior = 10;
/** Most letters that count as independent evidence: neighbouring n-grams overlap. */
const sharpness = 25;
/** The score, on the detector's scale of 0 to 1, of a known language that the detector does not report. */
const unseenScore = 0.45;

/**
 * The likely languages of a text, best first, without those of confidence 0; at least one.
 * - For short texts (`Hello`, `ok`) n-grams are weak evidence: known languages of the same script are preferred, with a low
 *   confidence. For a text in another language, the known languages have a low confidence.
 * - Mixed texts share the confidence. Addresses and placeholders do not count.
 * - Without letters (empty, `42`): the first known language, or `en`, with confidence 0.
 *
 * Examines the first 4,000 characters. The first call loads the detector's data (1 MB), which takes some tenths of a
 * second.
 * @param known languages to choose from, such as `zh` or `pt-BR`; none: all 60 of the detector
 */
export async function detectLanguages(text: string, known: readonly string[] = []): Promise<DetectedLanguage[]> {
  const parts = withoutKept(text.slice(0, sampleLength)).match(partPattern) ?? [];
  const lettered = parts.map((part) => ({ part, letters: part.match(/\p{L}/gu) ?? [] }));
  const letterCount = lettered.reduce((sum, { letters }) => sum + letters.length, 0);
  if (letterCount === 0) return [{ language: known[0] ?? 'en', confidence: 0 }];
  const { eld } = await import('eld/extrasmall');
  const candidates = [...new Set([...known, ...Object.values(eld.info().Languages)])];
  const shares = new Map(candidates.map((language) => [language, 0]));
  for (const { part, letters } of lettered) {
    const likelihoods = likelihoodsOf(letters, { candidates, known, scores: eld.detect(part).getScores() });
    const total = Math.max(sum(likelihoods), Number.MIN_VALUE);
    for (const [i, language] of candidates.entries()) {
      const share = (likelihoods[i] / total) * (letters.length / letterCount);
      shares.set(language, (shares.get(language) ?? 0) + share);
    }
  }
  return [...shares]
    .filter(([language]) => known.length === 0 || known.includes(language))
    .sort(([, a], [, b]) => b - a)
    .map(([language, share]) => ({ language, confidence: Math.round(100 * share) }))
    .filter(({ confidence }, place) => place === 0 || confidence > 0);
}

interface Evidence {
  readonly candidates: readonly string[];
  readonly known: readonly string[];
  /** Of the detector, by language. */
  readonly scores: Readonly<Record<string, number>>;
}

/** How likely each candidate is, on one scale. */
function likelihoodsOf(letters: readonly string[], { candidates, known, scores }: Evidence): number[] {
  return candidates.map((language) => {
    const isKnown = known.includes(language);
    const score = scores[baseOf(language)] ?? (isKnown ? unseenScore : 0);
    const likelihood = Math.exp(Math.min(letters.length, sharpness) * score);
    return (isKnown ? knownPrior : 1) * scriptShare(language, letters) * likelihood;
  });
}

/** `pt-BR` is Portuguese. */
function baseOf(language: string): string {
  return language.split(/[-_]/)[0].toLowerCase();
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
