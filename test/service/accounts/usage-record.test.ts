import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { z } from 'zod';
import { DAY, DAYS_KEPT, HOUR, recordUse } from '../../../service/accounts/usage-record.js';
import { Database } from '../../../service/accounts/store/database.js';
import { migrations } from '../../../service/accounts/store/migrations.js';
import { someUse } from './support.js';

const NOON = Date.UTC(2026, 0, 15, 12);
const count = z.object({ count: z.int(), amount: z.int().nullable() });

describe('the record of usage', () => {
  let database: Database;
  const opened = (steps: readonly string[]) => {
    database = new Database(':memory:');
    database.exec('PRAGMA foreign_keys = ON');
    for (const step of steps) database.exec(step);
    for (const id of ['a', 'b'])
      database.run("INSERT INTO accounts VALUES (?1, ?1, 'unlimited', 0, 0)", [id]);
  };
  beforeEach(() => opened(migrations));
  afterEach(() => database.close());
  const record = (account: string, amount: number, at: number) =>
    recordUse(database, { account, amount, use: someUse, at });
  const rows = () =>
    database.get(count, 'SELECT COUNT(*) AS count, SUM(amount) AS amount FROM usage_by_hour');

  it('keeps one row for a thousand equal requests in an hour', () => {
    for (let index = 0; index < 1000; index++) record('a', 3, NOON + index);
    assert.deepEqual(rows(), { count: 1, amount: 3000 });
  });

  it('keeps one row per voice and day, for a limited number of days', () => {
    database.transaction(() => {
      for (let day = 0; day < 2 * DAYS_KEPT; day++) record('a', 1, NOON + day * DAY);
    });
    assert.equal(rows()?.count, DAYS_KEPT);
  });

  it('keeps the usage of a year if the clock jumps ahead by years, and jumps back', () => {
    const year = () => {
      for (let day = 0; day < 365; day++) record('a', 1, NOON + day * DAY);
    };
    database.transaction(year);
    record('a', 1, NOON + 20 * 365 * DAY);
    record('a', 1, 0);
    assert.deepEqual(rows(), { count: 367, amount: 367 });
    database.transaction(year);
    assert.deepEqual(rows(), { count: 367, amount: 732 });
  });

  it('keeps the usage of a day in 1970 if 400 later days have usage', () => {
    database.transaction(() => {
      for (let day = 0; day < DAYS_KEPT; day++) record('a', 1, NOON + day * DAY);
    });
    for (let request = 0; request < 3; request++) record('a', 1, 0);
    assert.deepEqual(rows(), { count: DAYS_KEPT + 1, amount: DAYS_KEPT + 3 });
    record('a', 1, NOON + DAYS_KEPT * DAY);
    assert.deepEqual(rows(), { count: DAYS_KEPT, amount: DAYS_KEPT });
  });

  it('deletes the days of one account only', () => {
    record('b', 1, NOON);
    database.transaction(() => {
      for (let day = 1; day <= DAYS_KEPT; day++) record('a', 1, NOON + day * DAY);
    });
    assert.equal(rows()?.count, DAYS_KEPT + 1);
  });

  it('migrates usage of the former schema to hours without loss', () => {
    const use = fc.record({
      account: fc.constantFrom('a', 'b'),
      at: fc.integer({ min: NOON, max: NOON + 3 * HOUR }),
      amount: fc.integer({ min: 0, max: 1e9 }),
      voice_id: fc.constantFrom('slt', 'rms'),
      style: fc.constantFrom('neutral', 'happy'),
    });
    const last = migrations.findIndex((step) => step.includes('usage_by_hour'));
    const property = fc.property(fc.array(use), (uses) => {
      database.close();
      opened(migrations.slice(0, last));
      for (const { account, at, amount, voice_id, style } of uses) {
        const values = [account, 'key-1', voice_id, voice_id, style, 'en', 'main_speech_1', amount, at];
        database.run('INSERT INTO usage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', values);
      }
      database.exec(migrations[last] ?? assert.fail());
      const migrated = database.all(hours, HOURS);
      database.exec('DELETE FROM usage_by_hour');
      for (const { account, at, amount, voice_id, style } of uses)
        recordUse(database, {
          account,
          amount,
          use: { ...someUse, voice_id, voice_name: voice_id, style },
          at,
        });
      assert.deepEqual(migrated, database.all(hours, HOURS));
    });
    fc.assert(property, { numRuns: 30 });
  });
});

const HOURS =
  'SELECT account, hour, voice_id, voice_name, style, api_key, amount FROM usage_by_hour ORDER BY 1, 2, 3, 5';
const hours = z.object({
  account: z.string(),
  hour: z.int(),
  voice_id: z.string(),
  voice_name: z.string(),
  style: z.string(),
  api_key: z.string(),
  amount: z.int(),
});
