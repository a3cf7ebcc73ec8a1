/** Names of languages. */

/** By the language of the page. To create one takes 40 times as long as a name. */
const namesIn = new Map<string, Intl.DisplayNames>();

/** Returns the name of a language in the language `locale`, or the code if the browser knows no name. */
export function languageNameIn(code: string, locale: string): string {
  try {
    const names = namesIn.get(locale) ?? new Intl.DisplayNames([locale], { type: 'language' });
    namesIn.set(locale, names);
    return names.of(code) ?? code;
  } catch {
    return code; // the user typed an invalid language code
  }
}

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');

/** Returns the codes of all languages that the browser can name: two letters (ISO 639-1), without former codes such as `iw`. */
export function languageCodes(): string[] {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  const pairs = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  return pairs.filter((code) => Intl.getCanonicalLocales(code)[0] === code && names.of(code) !== undefined);
}

/** Returns a tag without its region, which no voice needs to have: `en` for `en-GB`. */
export const withoutRegion = (tag: string): string => tag.split(/[-_]/, 1)[0] ?? tag;

/** Returns the languages of the browser as two-letter codes, the preferred one first. */
export const browserLanguages = (): string[] =>
  navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());

/** Returns the name of a language with its region: "German (Austria)". */
export const regionName = (
  { language, region }: { language: string; region: string },
  locale: string,
): string => languageNameIn(region === '' ? language : `${language}-${region}`, locale);
