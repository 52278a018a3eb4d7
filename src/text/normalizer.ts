// Unicode normalisation of text before it is split into words. Off by default, so that decoding restores the exact text; all
// options lose information.

/** A Unicode normalisation form: `nfc` composes é, `nfkc` also folds ﬁ, ①, … and the no-break space into plain characters. */
export type Normalization = 'none' | 'nfc' | 'nfkc';

export interface NormalizerOptions {
  /** Default `none`. */
  normalization?: Normalization;
  /** Lower-case by the full Unicode rules (Σ at the end of a word becomes ς). Default false. */
  lowercase?: boolean;
}

/** The text as the tokenizer sees it. A lone surrogate, which UTF-8 cannot carry, becomes U+FFFD. */
export function normalize(text: string, { normalization, lowercase }: Required<NormalizerOptions>): string {
  const wellFormed = text.replace(/\p{Surrogate}/gu, '\uFFFD');
  const composed = normalization === 'none' ? wellFormed : wellFormed.normalize(unicodeForm[normalization]);
  return lowercase ? composed.toLowerCase() : composed;
}

/** The names that Unicode, JavaScript and tokenizer files give the forms. */
export const unicodeForm = { nfc: 'NFC', nfkc: 'NFKC' } as const;
