import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { dayOf, periodOf, time, windowsOf } from '../../../nodes/lib/times.js';

const DAY_MS = 86_400_000;
const moments = fc.date({ min: new Date('1970-01-02'), max: new Date('2999-12-31'), noInvalidDate: true });

describe('time', () => {
  it('accepts a moment as ISO 8601 text, as a Date and in milliseconds', () => {
    fc.assert(
      fc.property(moments, (moment) => {
        for (const value of [moment.toISOString(), moment, moment.getTime()]) {
          assert.deepEqual(time().parse(value), moment);
        }
      }),
    );
  });

  for (const value of ['yesterday', '2026-02-30', '2026-01-01T00:00:00', 9e15, 1.5]) {
    it(`rejects ${value}`, () => assert.ok(!time().safeParse(value).success));
  }
});

describe('periodOf', () => {
  it('starts at midnight UTC, `days` days back, counting the day of the end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), moments, (days, end) => {
        const { start, end: same } = periodOf(days, undefined, end);
        assert.equal(same, end);
        assert.equal(start.toISOString().slice(10), 'T00:00:00.000Z');
        assert.equal(Date.parse(dayOf(end)) - start.getTime(), (days - 1) * DAY_MS);
      }),
    );
  });

  it('returns start and end unchanged if both are given', () => {
    fc.assert(
      fc.property(moments, moments, (start, end) => {
        assert.deepEqual(periodOf(30, start, end), { start, end });
      }),
    );
  });

  it('ends now by default', () => {
    const before = Date.now();
    const { end } = periodOf(1);
    assert.ok(end.getTime() >= before && end.getTime() <= Date.now());
  });
});

describe('windowsOf', () => {
  const days = (start: string, end: string) =>
    windowsOf({ start: new Date(start), end: new Date(end) }, 30).map((one) => [
      dayOf(one.start),
      dayOf(one.end),
    ]);

  it('keeps a period of 30 days', () =>
    assert.deepEqual(days('2026-04-01', '2026-04-30T23:59:00Z'), [['2026-04-01', '2026-04-30']]));

  it('cuts a month of 31 days in two, without a gap or a day twice', () =>
    assert.deepEqual(days('2026-10-01', '2026-10-31T10:00:00Z'), [
      ['2026-10-01', '2026-10-30'],
      ['2026-10-31', '2026-10-31'],
    ]));
});
