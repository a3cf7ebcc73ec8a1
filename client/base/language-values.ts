/** Values of messages that look different in each language. */

/** Languages in a message, which the reader sees by their names. */
export interface Languages {
  /** ISO 639-1 codes. */
  languages: readonly string[];
}

/** A number in a message with one decimal place, which the reader sees with the decimal sign of the language. */
export interface Decimal {
  decimal: number;
}

const formats = new Map<string, Intl.NumberFormat>();

/** Returns a number in a language, such as `3.0` in English and `3,0` in German. */
export function decimalIn({ decimal }: Decimal, locale: string): string {
  const options = { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false };
  const format = formats.get(locale) ?? new Intl.NumberFormat(locale, options);
  formats.set(locale, format);
  return format.format(decimal);
}

/** Returns the names of languages as a list, such as `English and German`. A code without a name stays as it is. */
export function languageNames({ languages }: Languages, locale: string): string {
  const names = new Intl.DisplayNames(locale, { type: 'language' });
  const list = new Intl.ListFormat(locale);
  return list.format(languages.map((code) => (LANGUAGE_TAG.test(code) ? (names.of(code) ?? code) : code)));
}

/** Codes that `Intl.DisplayNames` accepts. */
const LANGUAGE_TAG = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;
