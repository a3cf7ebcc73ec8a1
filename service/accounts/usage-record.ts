import { z } from 'zod';
import type { Database } from './store/database.js';

/** Milliseconds. */
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/**
 * Number of days with usage that an account keeps: a year and a month, so that users can compare a month with the same month
 * last year.
 */
export const DAYS_KEPT = 400;

/** The properties of a request in usage reports (docs/interface.md#usage). */
export interface Use {
  /** Identifier of the key, not the key. */
  api_key: string;
  voice_id: string;
  voice_name: string;
  style: string;
  language: string;
  model: string;
}

/** The use of one or more requests. */
export interface PastUse {
  /** Identifier of the account. */
  account: string;
  /** Microseconds of audio. */
  amount: number;
  use: Use;
  /** Milliseconds since 1970. */
  at: number;
}

/**
 * Adds to the usage of an account in the hour of `at`. The number of rows depends on the hours and the combinations used,
 * not on the number of requests. The first use on a day deletes the oldest days above DAYS_KEPT. It counts days with usage,
 * so that a clock that jumps ahead does not delete the history (docs/decisions/0026).
 */
export function recordUse(database: Database, { account, amount, use, at }: PastUse): void {
  const { voice_id, voice_name, style, language, model, api_key } = use;
  const hour = Math.floor(at / HOUR) * HOUR;
  const day = Math.floor(at / DAY) * DAY;
  const isFirst = !hasUse(database, account, day);
  const sql = `INSERT INTO usage_by_hour
      (account, hour, voice_id, voice_name, style, language, model, api_key, amount)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET amount = amount + excluded.amount`;
  database.run(sql, [account, hour, voice_id, voice_name, style, language, model, api_key, amount]);
  if (isFirst) deleteOldDays(database, account, day);
}

/** Returns whether the account has usage on a day. @param day the start of the day, in milliseconds since 1970 */
function hasUse(database: Database, account: string, day: number): boolean {
  const sql = 'SELECT hour FROM usage_by_hour WHERE account = ? AND hour >= ? AND hour < ? LIMIT 1';
  return database.get(z.object({ hour: z.int() }), sql, [account, day, day + DAY]) !== undefined;
}

/** Deletes the oldest days above DAYS_KEPT, except `today`: a clock at 1970 makes it the oldest day. */
function deleteOldDays(database: Database, account: string, today: number): void {
  const days = `SELECT DISTINCT hour / ${DAY} AS day FROM usage_by_hour WHERE account = ?1 ORDER BY day DESC
    LIMIT ${DAYS_KEPT}`;
  const sql = `DELETE FROM usage_by_hour WHERE account = ?1 AND hour < (SELECT MIN(day) * ${DAY} FROM (${days}))
    AND NOT (hour >= ?2 AND hour < ?2 + ${DAY})`;
  database.run(sql, [account, today]);
}
