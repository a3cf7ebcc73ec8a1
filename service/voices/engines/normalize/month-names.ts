const ANY_YEAR = 2000;

/** Returns the names of the twelve months in the form for a date. */
export function monthNames(language: string): string[] {
  const format = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month) => {
    const parts = format.formatToParts(Date.UTC(ANY_YEAR, month, 1));
    return parts.find(({ type }) => type === 'month')?.value ?? '';
  });
}
