// Which writing system a text is in, by its letters.

const scripts = [
  ...['Latin', 'Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Devanagari', 'Hangul', 'Thai', 'Armenian', 'Georgian'],
  ...['Bengali', 'Gurmukhi', 'Gujarati', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Lao'],
  ...['Myanmar', 'Ethiopic', 'Tibetan', 'Mongolian'],
].map((name) => ({ name, has: new RegExp(`\\p{Script=${name}}`, 'u') }));

/** Japanese is written in all three of these, so that they count as one. */
const chineseOrJapanese = {
  name: 'Han or kana',
  has: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
};

const known = new Map<string, string>();

function scriptOfLetter(letter: string): string {
  let script = known.get(letter);
  if (script === undefined) {
    script = [...scripts, chineseOrJapanese].find(({ has }) => has.test(letter))?.name ?? 'another script';
    known.set(letter, script);
  }
  return script;
}

/**
 * The script of at least four fifths of a text's letters, such that `我用Twitter` is of none. Undefined too for texts of
 * fewer than five letters: names and abbreviations often stay in the script they come from.
 */
export function mainScript(text: string): string | undefined {
  const letters = text.match(/\p{L}/gu) ?? [];
  if (letters.length < 5) return undefined;
  const counts = new Map<string, number>();
  for (const letter of letters) {
    const script = scriptOfLetter(letter);
    counts.set(script, (counts.get(script) ?? 0) + 1);
  }
  return [...counts].find(([, count]) => count >= 0.8 * letters.length)?.[0];
}
