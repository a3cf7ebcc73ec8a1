/** Names of languages. */

/** Returns the name of a language in the language `locale`, or the code if the browser knows no name. */
export function languageNameIn(code: string, locale: string): string {
  try {
    return new Intl.DisplayNames([locale], { type: 'language' }).of(code) ?? code;
  } catch {
    return code; // the user typed an invalid language code
  }
}

/** Returns the languages of the browser as two-letter codes, the preferred one first. */
export const browserLanguages = (): string[] =>
  navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());

/** Returns the name of a language with its region: "German (Austria)". */
export const regionName = (
  { language, region }: { language: string; region: string },
  locale: string,
): string => languageNameIn(region === '' ? language : `${language}-${region}`, locale);
