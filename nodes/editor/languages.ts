/** Returns the name of a language in the language of the editor, or the code if the browser knows no name. */
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames([RED.i18n.lang()], { type: 'language' }).of(code) ?? code;
  } catch {
    return code; // the user typed an invalid language code
  }
}
