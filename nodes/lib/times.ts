import { lazy, rule, z } from '@herald-speech/client';
import { say } from '../runtime/messages.js';

const DAY_MS = 86_400_000;

/** Accepts a time as ISO 8601 text, as a Date, or as milliseconds since 1970 (as inject nodes send it). */
export const time = lazy(() =>
  z
    .union([z.iso.datetime({ offset: true }), z.iso.date(), z.date(), z.int()], {
      error: rule(say('rule-any-time')),
    })
    .transform((value) => new Date(value))
    .pipe(z.date(rule(say('rule-calendar')))),
);

/** Returns the UTC day of a time as YYYY-MM-DD. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

/** Returns the UTC days from the first to the last day, both included. */
export const daysFrom = (first: Date, last = new Date()): number =>
  (Date.parse(dayOf(last)) - Date.parse(dayOf(first))) / DAY_MS + 1;

/** A period of time. */
export interface TimePeriod {
  start: Date;
  end: Date;
}

/** Completes a period. Default end: now. Default start: `days` UTC days, counted back from the day of the end. */
export function periodOf(days: number, start?: Date, end: Date = new Date()): TimePeriod {
  const first = dayOf(new Date(end.getTime() - (days - 1) * DAY_MS));
  return { start: start ?? new Date(first), end };
}

/** Returns the period from the first UTC day of the month until `end`. */
export function monthOf(end: Date): TimePeriod {
  return { start: new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth())), end };
}

/** Cuts a period into periods of at most `days` UTC days, in order. */
export function windowsOf({ start, end }: TimePeriod, days: number): TimePeriod[] {
  const last = new Date(Date.parse(dayOf(start)) + days * DAY_MS - 1);
  if (last >= end) return [{ start, end }];
  return [{ start, end: last }, ...windowsOf({ start: new Date(last.getTime() + 1), end }, days)];
}
