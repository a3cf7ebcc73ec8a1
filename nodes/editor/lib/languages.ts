/** Languages, numbers and the words of voices in the language of the editor. */
import {
  browserLanguages,
  type Facet,
  languageNameIn,
  valueNameIn,
  type Voice,
  wordName,
  wordsFor,
} from '@herald-speech/browser';

/** Returns the editor's language as a two-letter code, such as `de`. */
export const editorLanguage = (): string => RED.i18n.lang().slice(0, 2).toLowerCase();

/** Returns the languages of the editor and of the browser as two-letter codes, the preferred one first. */
export const userLanguages = (): string[] => [editorLanguage(), ...browserLanguages()];

/** Returns the name of a language. Default: in the language of the editor. */
export const languageName = (code: string, locale = RED.i18n.lang()): string => languageNameIn(code, locale);

/** Returns the names of languages as a sentence part, such as `English and German`, with at most four names. */
export function languageList(codes: readonly string[], max = 4): string {
  const names = codes.slice(0, max).map((code) => languageName(code));
  const others = codes.length > max ? [`+${codes.length - max}`] : [];
  return new Intl.ListFormat([RED.i18n.lang()]).format([...names, ...others]);
}

/** Formats a number with at most one decimal. */
export const numeral = (value: number): string =>
  value.toLocaleString(RED.i18n.lang(), { maximumFractionDigits: 1 });

/** Returns the words of voices. */
export const voiceWords = () => wordsFor(RED.i18n.lang());

/** Returns the measured speed of a voice that is too slow for live announcements, the reason of its mark; '' for another voice. */
export function slowText({ isLive, realTimeFactor }: Pick<Voice, 'isLive' | 'realTimeFactor'>): string {
  if (isLive || realTimeFactor === 0) return '';
  const { faster, slower } = voiceWords();
  const [text, times] = realTimeFactor < 1 ? [faster, 1 / realTimeFactor] : [slower, realTimeFactor];
  return text.replace('__times__', numeral(times));
}

/** Returns the name of a value of a voice. */
export const nameOf = (facet: Facet, value: string): string => valueNameIn(facet, value, RED.i18n.lang());

/** Returns the quality of a natural voice in words. */
export const qualityName = (quality: string): string => wordName('quality', quality, RED.i18n.lang());
