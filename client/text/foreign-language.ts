/** Scripts (ISO 15924) that not every voice reads. */
const SCRIPTS = (
  'Arab Armn Beng Cyrl Deva Ethi Geor Grek Gujr Guru Hang Hani Hebr Hira Kana Khmr Knda Laoo Mlym Mymr Sinh Taml Telu ' +
  'Thai Tibt'
).split(' ');

/** The scripts of languages that mix several. */
const MIXED: Readonly<Record<string, readonly string[]>> = {
  Jpan: ['Hira', 'Kana', 'Hani'],
  Kore: ['Hang', 'Hani'],
  Hans: ['Hani'],
  Hant: ['Hani'],
};

/**
 * Returns the usual language of the script of a text's first letter, such as `th` for Thai letters. Undefined if the text has Latin letters, or
 * the script of its language.
 * @param language Two-letter code.
 */
export function foreignLanguage(text: string, language: string): string | undefined {
  const [letter = ''] = /\p{L}/u.exec(text) ?? [];
  const script = SCRIPTS.find((name) => new RegExp(`\\p{Script=${name}}`, 'u').test(letter));
  const own = new Intl.Locale(language).maximize().script ?? '';
  if (script === undefined || own === script || MIXED[own]?.includes(script) === true) return undefined;
  return new Intl.Locale(`und-${script}`).maximize().language;
}
