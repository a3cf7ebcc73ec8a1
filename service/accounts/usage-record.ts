import type { Database } from '../store/database.js';

/** Milliseconds. */
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Days that usage is kept: a year and a month, so that a month can be held against the one a year before. */
export const DAYS_KEPT = 400;

/** What a request used, as the usage reports tell it (docs/interface.md#usage). */
export interface Use {
  /** The identifier of the key, not the key. */
  api_key: string;
  voice_id: string;
  voice_name: string;
  style: string;
  language: string;
  model: string;
}

/**
 * Adds to what an account used in the hour of `now`, and forgets what is older than DAYS_KEPT, so that the rows of an
 * account are bounded by time and by what it uses, whatever the number of requests (docs/decisions/0026).
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
