import { type operations, type RequestOf, USAGE_PAGE_SIZE } from '@herald-speech/client/interface';
import { z } from 'zod';
import type { Database } from './store/database.js';
import { numberToken, unknownToken } from '../kit/paging.js';
import { AccountsError } from '../kit/errors.js';
import { toMinutes } from '../kit/units.js';
import { DAY, HOUR } from './usage-record.js';

const widths = { hour: HOUR, day: DAY } as const;

/** Maximum days of a voice usage report (docs/interface.md#voice-usage). */
const MAX_DAYS = 30;

type UsageRequest = RequestOf<typeof operations.getUsage>;
type VoiceUsageRequest = RequestOf<typeof operations.getVoiceUsage>;

const usageRow = z.object({
  bucket: z.int(),
  amount: z.int(),
  voice_id: z.string().optional(),
  voice_name: z.string().optional(),
  api_key: z.string().optional(),
  model: z.string().optional(),
});

const voiceRow = z.object({
  day: z.int(),
  voice_id: z.string(),
  name: z.string(),
  style: z.string().nullable(),
  language: z.string().nullable(),
  model: z.string().nullable(),
  amount: z.int(),
});

interface Range {
  start: number;
  end: number;
}

/** Usage reports of accounts, in the shapes of docs/interface.md#usage-report. Times are UTC. */
export class UsageReports {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Returns one page of minutes by calendar hour or day. The first and the last bucket are cut to whole hours around the
   * given times. An `api_key` is the identifier of a key.
   * @throws AccountsError `invalid` if `end_time` is not after `start_time`, or for an unknown token
   */
  byTime(account: string, request: UsageRequest) {
    const width = widths[request.bucket_width ?? 'day'];
    const range = hoursOf(request);
    const first = Math.floor(range.start / width);
    const total = Math.ceil(range.end / width) - first;
    const from = startOfPage(request.next_page_token);
    const count = Math.max(0, Math.min(request.page_size ?? USAGE_PAGE_SIZE.default, total - from));
    const buckets = Array.from({ length: count }, (_, index) => first + from + index);
    const rows = this.#sums(account, buckets, width, range, request.breakdown_type ?? []);
    const data = buckets.map((bucket) => bucketOf(bucket, width, range, rows));
    return { data, total, next_page_token: from + count < total ? numberToken.write(from + count) : null };
  }

  #sums(account: string, buckets: number[], width: number, range: Range, breakdown: readonly string[]) {
    const [first = 0] = buckets;
    const { start, end } = spanOf(first, width, range, buckets.length);
    const columns = ['bucket', ...new Set(breakdown)].join(', ');
    const sql = `SELECT hour / ${width} AS ${columns}, SUM(amount) AS amount FROM usage_by_hour
      WHERE account = ? AND hour >= ? AND hour < ? GROUP BY ${columns} ORDER BY ${columns}`;
    return this.#database.all(usageRow, sql, [account, start, end]);
  }

  /**
   * Returns the minutes by day and voice. An entry has a style, language or model if the voice had only one on that day.
   * @throws AccountsError `invalid` if `end_date` is before `start_date`, or if the report exceeds 30 days
   */
  byVoice(account: string, { start_date, end_date }: VoiceUsageRequest) {
    const start = Date.parse(start_date);
    const end = Date.parse(end_date) + DAY;
    if (!(start < end)) throw invalid('end_date', end_date, 'start_date or a later day');
    if (end - start > MAX_DAYS * DAY) {
      throw invalid('end_date', end_date, `at most ${MAX_DAYS} days, with the first and the last day`);
    }
    const sql = `SELECT hour / ${DAY} AS day, voice_id, MAX(voice_name) AS name, ${only('style')},
      ${only('language')}, ${only('model')}, SUM(amount) AS amount FROM usage_by_hour
      WHERE account = ? AND hour >= ? AND hour < ? GROUP BY day, voice_id ORDER BY day, voice_id`;
    return { usages: this.#database.all(voiceRow, sql, [account, start, end]).map(toVoiceUsage) };
  }
}

/** Returns SQL for the value that all rows of a group share, or null if the values differ. */
function only(column: string): string {
  return `CASE WHEN MIN(${column}) = MAX(${column}) THEN MIN(${column}) END AS ${column}`;
}

/** Extends the times to whole hours, because the database keeps usage by the hour. */
function hoursOf({ start_time, end_time }: UsageRequest): Range {
  const [start, end] = [Date.parse(start_time), Date.parse(end_time)];
  if (!(start < end)) throw invalid('end_time', end_time, 'a time after start_time');
  return { start: Math.floor(start / HOUR) * HOUR, end: Math.ceil(end / HOUR) * HOUR };
}

function startOfPage(token: string | undefined): number {
  const start = token === undefined ? 0 : numberToken.read(token);
  if (start !== undefined) return start;
  throw new AccountsError('invalid', unknownToken(token));
}

/** Returns the part of `range` that `count` buckets cover. */
function spanOf(bucket: number, width: number, { start, end }: Range, count = 1): Range {
  return { start: Math.max(start, bucket * width), end: Math.min(end, (bucket + count) * width) };
}

function bucketOf(bucket: number, width: number, range: Range, rows: readonly z.output<typeof usageRow>[]) {
  const { start, end } = spanOf(bucket, width, range);
  const inBucket = rows.filter((row) => row.bucket === bucket);
  return {
    starting_at: new Date(start).toISOString(),
    ending_at: new Date(end).toISOString(),
    results: inBucket.map(toResult),
  };
}

/** Returns a result. Columns that the request did not select are undefined, so the JSON omits them. */
function toResult({ amount, voice_id, voice_name, api_key, model }: z.output<typeof usageRow>) {
  return { minutes_used: toMinutes(amount), voice_id, voice_name, api_key, model };
}

function toVoiceUsage({ day, voice_id, name, amount, style, language, model }: z.output<typeof voiceRow>) {
  return {
    date: new Date(day * DAY).toISOString().slice(0, 10),
    voice_id,
    name,
    ...(style !== null && { style }),
    ...(language !== null && { language }),
    total_minutes_used: toMinutes(amount),
    ...(model !== null && { model }),
  };
}

function invalid(field: string, value: string, allowed: string): AccountsError {
  return new AccountsError('invalid', `${field} is ${JSON.stringify(value)}: expected ${allowed}`);
}
