// Abbreviations that end in a full stop without ending a sentence, by language, and the languages that write 3. for third.

/** Lower-cased, without the last full stop. */
const abbreviations: Readonly<Record<string, string>> = {
  en: `mr mrs ms messrs dr prof st rev hon gen col maj capt lt sgt sen rep gov pres mt ft jr sr vs inc ltd co corp dept
    univ est approx e.g i.e eg ie cf viz al ave blvd rd jan feb mar apr jun jul aug sep sept oct nov dec`,
  de: `dr prof hr fr frl dipl ing bzw ca evtl ggf inkl exkl usw vgl z.b zb d.h dh u.a ua i.d.r idr o.ä s.o s.u u.u v.a
    z.t zt bsp bspw sog str st tel max min mio mrd mind jan feb apr aug sept okt nov dez geb gest verh jh hrsg allg`,
  fr: `m mm mme mmes mlle mlles me dr pr st ste c.-à-d p.ex p.-ex av bd env cf éd janv févr avr juil sept oct nov déc`,
  es: `sr sra sres srta dr dra ud uds vd vds prof ing lic p.ej ej av avda c.f cf aprox tel`,
  it: `sig sigg sig.ra dott dott.ssa prof prof.ssa ing avv on ecc es p.es cfr ca tel`,
  pt: `sr sra srs dr dra prof profa eng exmo exma p.ex ex av aprox tel`,
  nl: `dhr mevr mw dr drs prof ir ing bijv bv d.w.z dwz enz o.a t/m m.b.t ca evt incl nl jl a.s`,
  ru: `г гг ул им т.е т.к т.д т.п руб млн млрд тыс проф акад`,
};

/** Abbreviations only before a number: `No. 5`, `Abb. 3`. */
const beforeNumbers: Readonly<Record<string, string>> = {
  en: 'no nos fig figs eq eqs sec ch vol p pp art par app tab ref refs v',
  de: 'nr abb tab kap bd s art abs §§ ziff z anm',
  fr: 'n no nos fig p pp art vol chap t tab',
  es: 'n núm núms fig p pp pág págs art vol cap',
  it: 'n nn fig p pp pag art vol cap',
  pt: 'n núm fig p pp pág art vol cap',
  nl: 'nr nrs fig p pp blz art afb hfst',
  ru: 'с стр рис табл гл п пп №',
};

const ordinalLanguages = new Set('de da no nb nn fi is et lv cs sk sl hr sr bs hu pl tr az ka eu lb fo'.split(' '));

/**
 * Whether a full stop after this word belongs to an abbreviation, so that the sentence goes on.
 * @param word without its last full stop, such as `Dr` or `z.B` @param next the text that follows
 * @param language undefined or unknown: the abbreviations of all languages
 */
export function isAbbreviation(word: string, next: string, language: string | undefined): boolean {
  const lower = word.toLowerCase();
  if (wordsOf(abbreviations, language).has(lower)) return true;
  return /^[\p{N}([]/u.test(next) && wordsOf(beforeNumbers, language).has(lower);
}

/** Whether `3.` can be an ordinal number, as in German `am 3. Oktober`. */
export function writesOrdinalsWithStop(language: string | undefined): boolean {
  return ordinalLanguages.has(baseOf(language));
}

const wordSets = new Map<string, ReadonlySet<string>>();

function wordsOf(lists: Readonly<Record<string, string>>, language: string | undefined): ReadonlySet<string> {
  const base = baseOf(language);
  const key = `${lists === abbreviations} ${base in lists ? base : ''}`;
  let words = wordSets.get(key);
  if (words === undefined) {
    const texts = base in lists ? [lists[base]] : Object.values(lists);
    words = new Set(texts.join(' ').split(/\s+/));
    wordSets.set(key, words);
  }
  return words;
}

/** `de-AT` is German. */
function baseOf(language: string | undefined): string {
  return (language ?? '').split(/[-_]/)[0].toLowerCase();
}
