/** The words of voices in the languages of Herald. The build adds them to the texts of the editor. */
import de from './locales/de.json';
import en from './locales/en.json';
import es from './locales/es.json';
import ja from './locales/ja.json';
import ko from './locales/ko.json';

/** A missing word fails the type check. */
export const voiceWords: Readonly<Record<'en' | 'de' | 'es' | 'ja' | 'ko', typeof en>> = {
  en,
  de,
  es,
  ja,
  ko,
};
export type Language = keyof typeof voiceWords;
