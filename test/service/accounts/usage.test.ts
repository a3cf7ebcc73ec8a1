import assert from 'node:assert/strict';
import { operations } from '@herald-speech/client';
import * as fc from 'fast-check';
import { DAY, DAYS_KEPT, HOUR } from '../../../service/accounts/usage-record.js';
import { isAccountsError, newAccount, someUse, useLedger } from './support.js';

const NOON = Date.UTC(2026, 0, 15, 12);
const iso = (at: number) => new Date(at).toISOString();
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** docs/interface.md#usage */
describe('the usage reports', () => {
  const { ledger, clock } = useLedger();

  const use = (account: string, at: number, seconds: number, more: Partial<typeof someUse> = {}) => {
    clock.now = at;
    const { credits } = ledger();
    credits.settle(credits.reserve(account, seconds), seconds, { ...someUse, ...more });
  };
  const unlimited = () => ledger().accounts.unlimited('local').id;
  const byTime = (account: string, request: Partial<Parameters<typeof read>[1]>) =>
    read(account, { start_time: '2026-01-15T00:00:00Z', end_time: '2026-01-16T00:00:00Z', ...request });
  const read = (account: string, request: Parameters<ReturnType<typeof ledger>['usage']['byTime']>[1]) => {
    const reply: unknown = JSON.parse(JSON.stringify(ledger().usage.byTime(account, request)));
    return operations.getUsage.response.parse(reply);
  };

  it('contains a whole bucket for each hour of the period', () => {
    const account = unlimited();
    use(account, NOON - 1, 15);
    use(account, NOON, 60);
    use(account, NOON + HOUR + HOUR / 2, 30);
    use(account, NOON + 2 * HOUR, 15);
    const range = { start_time: '2026-01-15T12:30:00Z', end_time: '2026-01-15T14:00:00.000+00:30' };
    const { data, total } = byTime(account, { ...range, bucket_width: 'hour' });
    assert.deepEqual(data, [
      {
        starting_at: '2026-01-15T12:00:00.000Z',
        ending_at: '2026-01-15T13:00:00.000Z',
        results: [{ minutes_used: 1 }],
      },
      {
        starting_at: '2026-01-15T13:00:00.000Z',
        ending_at: '2026-01-15T14:00:00.000Z',
        results: [{ minutes_used: 0.5 }],
      },
    ]);
    assert.equal(total, 2);
  });

  it('cuts the first and the last day to the hours of the period', () => {
    const account = unlimited();
    for (const at of [NOON - HOUR, NOON, NOON + 24 * HOUR, NOON + 25 * HOUR]) use(account, at, 60);
    const range = { start_time: iso(NOON), end_time: iso(NOON + 25 * HOUR) };
    assert.deepEqual(byTime(account, range).data, [
      {
        starting_at: '2026-01-15T12:00:00.000Z',
        ending_at: '2026-01-16T00:00:00.000Z',
        results: [{ minutes_used: 1 }],
      },
      {
        starting_at: '2026-01-16T00:00:00.000Z',
        ending_at: '2026-01-16T13:00:00.000Z',
        results: [{ minutes_used: 1 }],
      },
    ]);
  });

  it('groups the minutes by the selected columns', () => {
    const account = unlimited();
    use(account, NOON, 60, { voice_name: 'A', model: 'm1', api_key: 'key-1' });
    use(account, NOON, 60, { voice_name: 'A', model: 'm2', api_key: 'key-1' });
    use(account, NOON, 120, { voice_name: 'B', model: 'm2', api_key: 'key-2' });
    const broken = (...types: NonNullable<Parameters<typeof read>[1]['breakdown_type']>) =>
      byTime(account, { breakdown_type: types }).data[0]?.results;
    assert.deepEqual(broken('model'), [
      { minutes_used: 1, model: 'm1' },
      { minutes_used: 3, model: 'm2' },
    ]);
    assert.deepEqual(broken('api_key', 'voice_name', 'api_key'), [
      { minutes_used: 2, voice_name: 'A', api_key: 'key-1' },
      { minutes_used: 2, voice_name: 'B', api_key: 'key-2' },
    ]);
    assert.deepEqual(broken('voice_id'), [{ minutes_used: 4, voice_id: 'rms' }]);
  });

  it('returns pages that add up to all minutes', () => {
    const moments = fc.array(fc.record({ hour: fc.nat(47), seconds: fc.integer({ min: 1, max: 600 }) }), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(moments, fc.integer({ min: 1, max: 20 }), (uses, page_size) => {
        const { id } = newAccount(ledger(), 1e6);
        for (const { hour, seconds } of uses) use(id, NOON + hour * HOUR, seconds);
        const range = { start_time: iso(NOON), end_time: iso(NOON + 48 * HOUR) };
        const minutes: number[] = [];
        let buckets = 0;
        let token: string | null | undefined;
        do {
          const paging = { page_size, ...(token && { next_page_token: token }) };
          const page = byTime(id, { ...range, bucket_width: 'hour', ...paging });
          assert.equal(page.total, 48);
          assert.ok(page.data.length <= page_size);
          buckets += page.data.length;
          minutes.push(
            ...page.data.flatMap(({ results }) => results.map(({ minutes_used }) => minutes_used)),
          );
          token = page.next_page_token;
        } while (token);
        assert.equal(buckets, 48);
        assert.ok(Math.abs(sum(minutes) * 60 - sum(uses.map(({ seconds }) => seconds))) < 1e-6);
      }),
      { numRuns: 20 },
    );
  });

  it('adds up to all requests with every combination of columns', () => {
    const some = fc.record({
      hour: fc.nat(30),
      seconds: fc.integer({ min: 1, max: 600 }),
      voice_id: fc.constantFrom('slt', 'rms'),
      model: fc.constantFrom('main_speech_1', 'main_speech_2'),
      api_key: fc.constantFrom('key-1', 'key-2'),
      style: fc.constantFrom('neutral', 'happy'),
    });
    const breakdown = fc.subarray(['voice_id', 'model', 'api_key'] as const);
    const property = fc.property(fc.array(some, { maxLength: 30 }), breakdown, (uses, breakdown_type) => {
      const { id } = newAccount(ledger(), 1e6);
      for (const { hour, seconds, ...more } of uses) use(id, NOON + hour * HOUR, seconds, more);
      const expected = new Map<string, number>();
      for (const one of uses) {
        const day = iso(NOON + one.hour * HOUR).slice(0, 10);
        const name = [day, ...breakdown_type.map((type) => one[type])].join();
        expected.set(name, (expected.get(name) ?? 0) + one.seconds);
      }
      const { data } = byTime(id, { end_time: '2026-01-18T00:00:00Z', breakdown_type });
      const reported = data.flatMap(({ starting_at, results }) =>
        results.map((result): [string, number] => {
          const names = breakdown_type.map((type) => result[type]);
          return [[starting_at.slice(0, 10), ...names].join(), Math.round(result.minutes_used * 60)];
        }),
      );
      assert.deepEqual(new Map(reported), expected);
    });
    fc.assert(property, { numRuns: 30 });
  });

  it(`keeps the usage of ${DAYS_KEPT} days with use`, () => {
    const account = unlimited();
    const other = newAccount(ledger(), 1e6).id;
    const days = (count: number) => NOON + count * DAY;
    for (const who of [account, other]) use(who, NOON, 60);
    const sumOf = (who: string) =>
      sum((byTime(who, {}).data[0]?.results ?? []).map(({ minutes_used }) => minutes_used));
    for (let day = 1; day < DAYS_KEPT; day += 1) use(account, days(day), 60);
    assert.deepEqual([sumOf(account), sumOf(other)], [1, 1]);
    use(account, days(DAYS_KEPT), 60);
    assert.deepEqual([sumOf(account), sumOf(other)], [0, 1]);
  });

  it('omits the usage of other accounts', () => {
    use(newAccount(ledger()).id, NOON, 60);
    assert.deepEqual(byTime(newAccount(ledger()).id, {}).data[0]?.results, []);
  });

  it('rejects times in the wrong order and an unknown token', () => {
    const account = unlimited();
    const backwards = { start_time: '2026-01-15T00:00:00Z', end_time: '2026-01-15T00:00:00Z' };
    assert.throws(() => byTime(account, backwards), isAccountsError('invalid', /^end_time is "2026.*after/));
    const forged = { next_page_token: 'x' };
    assert.throws(() => byTime(account, forged), isAccountsError('invalid', /next_page_token/));
    assert.deepEqual(byTime(account, { next_page_token: '99' }).data, []);
  });

  describe('by voice', () => {
    const byVoice = (account: string, start_date: string, end_date: string) =>
      ledger().usage.byVoice(account, { start_date, end_date }).usages;

    it('contains one entry per voice and UTC day', () => {
      const account = unlimited();
      use(account, Date.UTC(2026, 0, 15, 23, 59), 60);
      use(account, Date.UTC(2026, 0, 16, 0, 0), 30);
      use(account, Date.UTC(2026, 0, 16, 5), 30, { style: 'happy' });
      use(account, Date.UTC(2026, 0, 17), 30);
      assert.deepEqual(byVoice(account, '2026-01-15', '2026-01-16'), [
        {
          date: '2026-01-15',
          voice_id: 'rms',
          name: 'Rms',
          style: 'neutral',
          language: 'en',
          total_minutes_used: 1,
          model: 'main_speech_1',
        },
        {
          date: '2026-01-16',
          voice_id: 'rms',
          name: 'Rms',
          language: 'en',
          total_minutes_used: 1,
          model: 'main_speech_1',
        },
      ]);
    });

    it('rejects more than 30 days and dates in the wrong order', () => {
      const account = unlimited();
      assert.deepEqual(byVoice(account, '2026-01-01', '2026-01-30'), []);
      const long = () => byVoice(account, '2026-01-01', '2026-01-31');
      assert.throws(long, isAccountsError('invalid', /end_date is "2026-01-31".*30 days/));
      const backwards = () => byVoice(account, '2026-01-02', '2026-01-01');
      assert.throws(backwards, isAccountsError('invalid', /start_date or a later day/));
    });
  });
});
