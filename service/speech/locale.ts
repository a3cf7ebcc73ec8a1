/** The language of a request without a voice and a language, and of a custom voice without a language. */
export const DEFAULT_LANGUAGE = 'en';

/** A language, and the region of an accent if it is known. */
export interface Locale {
  /** ISO 639-1 in lower case. */
  language: string;
  /** ISO 3166-1 in upper case, or three digits (UN M.49), such as "GB" or "419". */
  region?: string | undefined;
}

/** Language, script and region, such as "de", "pt_BR" or "zh-Hans-CN". The id of a voice may start in the same way. */
const LANGUAGE_TAG = /^[a-z]{2,3}(?:[-_](?:cyrl|hans|hant|latn))?(?:[-_](?<region>[a-z]{2}|\d{3}))?$/i;

/** Returns whether a text is a language with or without a region, in any case, with `-` or `_`. */
export const isLanguageTag = (text: string): boolean => LANGUAGE_TAG.test(text.trim());

/** Reads a tag such as "de-AT" or "en_GB" (BCP 47). Undefined for a blank text. */
export function localeOf(tag: string | undefined): Locale | undefined {
  const language = primaryLanguage(tag);
  if (tag === undefined || language === undefined) return undefined;
  return { language, region: LANGUAGE_TAG.exec(tag.trim())?.groups?.['region']?.toUpperCase() };
}

/** Codes of a language that voices list under another one. Home Assistant calls Norwegian `nb`. */
const LISTED_AS: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', cmn: 'zh' };

/** Returns the language of a tag, such as "de" for "de-AT". Undefined for a blank text. */
export function primaryLanguage(tag: string | undefined): string | undefined {
  const language = tag?.trim().split(/[-_]/)[0]?.toLowerCase() ?? '';
  return language === '' ? undefined : (LISTED_AS[language] ?? language);
}
