/** How values read. */

const languages = new Intl.DisplayNames(['en'], { type: 'language' });

/** A language code in words, such as "English". */
export function languageName(code: string): string {
  try {
    return languages.of(code) ?? code;
  } catch {
    return code; // No code at all: it is shown as it is.
  }
}

/** An identifier such as `young-adult` in words. */
export function plain(word: string): string {
  const spaced = word.replace(/[-_]+/g, ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** Seconds in words: "8.4 s", "3 min", "3 min 20 s". */
export function duration(seconds: number): string {
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const rest = whole % 60;
  return `${Math.floor(whole / 60)} min${rest === 0 ? '' : ` ${rest} s`}`;
}

/**
 * An ISO time as a date; as it came where it is no time.
 * @param timeZone the user's own unless told
 */
export function date(time: string, timeZone?: string): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return time;
  return at.toLocaleDateString('en', { dateStyle: 'medium', ...(timeZone && { timeZone }) });
}
