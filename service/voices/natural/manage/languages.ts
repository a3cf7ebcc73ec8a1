/** The names of a language for a search: code, name in English, and name in the language. */
export function namesOfLanguage(code: string): string[] {
  return [code, displayLanguage(code, 'en'), displayLanguage(code, code)];
}

/**
 * Returns the name of a language.
 * @param code ISO 639-1
 * @param locale language of the name
 */
export function displayLanguage(code: string, locale = 'en'): string {
  return new Intl.DisplayNames([locale], { type: 'language' }).of(code) ?? code;
}
