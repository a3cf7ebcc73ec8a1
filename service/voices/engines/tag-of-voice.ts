/**
 * Returns the tag of a text for a voice, such as "en-GB". The region decides ambiguous figures.
 * @param language Two-letter code of the text.
 * @param locale Locale of the voice. A voice that speaks a second language has no region for it.
 */
export const tagOfVoice = (language: string, locale: string | undefined): string =>
  locale?.startsWith(`${language}-`) === true ? locale : language;
