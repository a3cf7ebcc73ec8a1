import { z } from '@herald-speech/client';

const DAY_MS = 86_400_000;

/** A time as flows know it: text, a Date, or milliseconds as an inject node sends them. */
export const time = z
  .union([z.iso.datetime({ offset: true }), z.iso.date(), z.date(), z.int()], {
    error: 'expected a time such as 2026-01-31T00:00:00Z, a date, or milliseconds since 1970',
  })
  .transform((value) => new Date(value))
  .pipe(z.date('expected a time that a calendar has'));

/** The day of a time, in UTC. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

/** A time from its start to its end. */
export interface Span {
  start: Date;
  end: Date;
}

/** A span that is said in part: it ends now, and covers so many days in UTC, the last of which holds its end. */
export function spanOf(days: number, start?: Date, end: Date = new Date()): Span {
  const first = dayOf(new Date(end.getTime() - (days - 1) * DAY_MS));
  return { start: start ?? new Date(first), end };
}
