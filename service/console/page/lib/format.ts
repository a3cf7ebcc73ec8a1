/** Formats values for the user, in the language of the page. */
import { languageNameIn, wordName } from '@herald-speech/browser';
import { capitalized, language, pageNumeral, text } from './text.js';

/** Returns the name of a language code. Returns an invalid code unchanged. */
export const pageLanguageName = (code: string): string => languageNameIn(code, language());

/** Formats a word of the interface: `young-adult` becomes "Young adult". */
export const plain = (word: string): string =>
  capitalized(wordName('values', word, language()).replace(/_+/g, ' '));

/** Formats seconds: "8.4 s", "3 min", "3 min 20 s". */
export function duration(time: number): string {
  if (time < 59.95) return text('unit.seconds', { seconds: pageNumeral(time, 1) });
  const [minutes, seconds] = [Math.floor(Math.round(time) / 60), Math.round(time) % 60];
  return text(seconds === 0 ? 'unit.minutes' : 'unit.minutes-seconds', { minutes, seconds });
}

/**
 * Formats an ISO 8601 time as a date. Returns an invalid time unchanged.
 * @param timeZone an IANA name; by default the time zone of the user
 */
export function date(time: string, timeZone?: string): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return time;
  return at.toLocaleDateString(language(), { dateStyle: 'medium', ...(timeZone && { timeZone }) });
}

/** Formats bytes: "3.1 MB", "63 MB", "1.4 GB". */
export function size(bytes: number): string {
  if (bytes >= 1e9) return `${pageNumeral(bytes / 1e9, 1)} GB`;
  return `${pageNumeral(bytes / 1e6, bytes < 1e7 ? 1 : 0)} MB`;
}

/** Returns the path of a URL of the service. The URL can name another host, and the policy of the page allows only its own. */
export const pathOf = (url: string): string => new URL(url, location.href).pathname;
