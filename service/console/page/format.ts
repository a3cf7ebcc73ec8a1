/** Formats values for the user. */

const languages = new Intl.DisplayNames(['en'], { type: 'language' });

/** Returns the English name of a language code. Returns an invalid code unchanged. */
export function languageName(code: string): string {
  try {
    return languages.of(code) ?? code;
  } catch {
    return code;
  }
}

/** Formats an identifier: `young-adult` becomes "Young adult". */
export function plain(word: string): string {
  const spaced = word.replace(/[-_]+/g, ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** Formats seconds: "8.4 s", "3 min", "3 min 20 s". */
export function duration(seconds: number): string {
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const rest = whole % 60;
  return `${Math.floor(whole / 60)} min${rest === 0 ? '' : ` ${rest} s`}`;
}

/**
 * Formats an ISO 8601 time as a date. Returns an invalid time unchanged.
 * @param timeZone an IANA name; by default the time zone of the user
 */
export function date(time: string, timeZone?: string): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return time;
  return at.toLocaleDateString('en', { dateStyle: 'medium', ...(timeZone && { timeZone }) });
}

/** Formats bytes: "3.1 MB", "63 MB", "1.4 GB". */
export function size(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}
