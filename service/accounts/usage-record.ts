import type { Database } from '../store/database.js';

/** Milliseconds. */
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Days until usage is deleted: a year and a month, so that users can compare a month with the same month last year. */
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

/**
 * Adds to the usage of an account in the hour of `now`, and deletes usage older than DAYS_KEPT. The number of rows depends
 * on the hours and the combinations used, not on the number of requests (docs/decisions/0026).
 * @param amount microseconds of audio
 * @param now milliseconds since 1970
 */
export function recordUse(database: Database, account: string, amount: number, use: Use, now: number): void {
  const { voice_id, voice_name, style, language, model, api_key } = use;
  const hour = Math.floor(now / HOUR) * HOUR;
  const sql = `INSERT INTO usage_by_hour
      (account, hour, voice_id, voice_name, style, language, model, api_key, amount)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET amount = amount + excluded.amount`;
  database.run(sql, [account, hour, voice_id, voice_name, style, language, model, api_key, amount]);
  database.run('DELETE FROM usage_by_hour WHERE account = ? AND hour < ?', [account, hour - DAYS_KEPT * DAY]);
}
