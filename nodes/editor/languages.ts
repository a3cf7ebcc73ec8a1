/** Returns the editor's language as a two-letter code, such as `de`. */
export const editorLanguage = (): string => RED.i18n.lang().slice(0, 2).toLowerCase();

/** Returns the languages of the editor and of the browser as two-letter codes, the preferred one first. */
export const userLanguages = (): string[] => [
  editorLanguage(),
  ...navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()),
];

/** Returns the names of languages as a sentence part, such as `English and German`, with at most four names. */
export function languageList(codes: readonly string[], max = 4): string {
  const names = codes.slice(0, max).map((code) => languageName(code));
  const others = codes.length > max ? [`+${codes.length - max}`] : [];
  return new Intl.ListFormat([RED.i18n.lang()]).format([...names, ...others]);
}

/** Returns the name of a language, or the code if the browser knows no name. Default: in the language of the editor. */
export function languageName(code: string, locale = RED.i18n.lang()): string {
  try {
    return new Intl.DisplayNames([locale], { type: 'language' }).of(code) ?? code;
  } catch {
    return code; // the user typed an invalid language code
  }
}
