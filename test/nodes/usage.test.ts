import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { type Flow, localAccount, speechNode, withFlow, withHostedFlow } from '../support/node-red/flow.js';
import { keepLocalService } from '../support/service/local-service.js';
import { errorOf } from '../support/node-red/messages.js';
import type { Scripted, ScriptedServer, Seen } from '../support/net/scripted-server.js';

const DAY_MS = 86_400_000;

const bucket = (day: number) => ({
  starting_at: `2026-01-0${day}T00:00:00Z`,
  ending_at: `2026-01-0${day + 1}T00:00:00Z`,
  results: [{ minutes_used: day, voice_id: 'rms' }],
});
const used = { date: '2026-01-01', voice_id: 'rms', total_minutes_used: 1.5 };
const noisy = { ...used, total_minutes_used: 76.30499999999999 };
const rounded = { ...used, total_minutes_used: 76.305 };

/** A service with three pages of one bucket each, and the usage of one voice. */
function script({ path, query }: Seen): Scripted {
  if (path === '/v1/voice-usage') return { body: { usages: [used, noisy] } };
  const page = Number(query.get('next_page_token') ?? 1);
  return { body: { data: [bucket(page)], total: 3, next_page_token: page < 3 ? String(page + 1) : null } };
}

const reporting = (properties: object, work: (flow: Flow, server: ScriptedServer) => Promise<void>) =>
  withHostedFlow(script, [speechNode('usage', properties)], work);

/** The query of the first request for a message. */
async function askedWith(properties: object, message: object): Promise<Record<string, string>> {
  let query: Record<string, string> = {};
  await reporting(properties, async (flow, { requests }) => {
    flow.send('node', message);
    await flow.out('done');
    query = Object.fromEntries(requests[0]?.query ?? []);
  });
  return query;
}

const daysBetween = (start: string | undefined, end: string | undefined) =>
  (Date.parse(end ?? '') - Date.parse(start ?? '')) / DAY_MS;

describe('usage by time', () => {
  it('lists the intervals of all pages', () =>
    reporting({}, async (flow, { requests }) => {
      flow.send('node', { topic: 'kept' });
      const { payload, speech, topic } = await flow.out('done');
      assert.deepEqual(payload, [1, 2, 3].map(bucket));
      assert.deepEqual([speech, topic], [{ total: 3 }, 'kept']);
      assert.equal(requests.length, 3);
      assert.ok(requests.every(({ path, query }) => path === '/v1/usage' && query.get('page_size') === '20'));
    }));

  it('covers the last 30 days in UTC by default, including today', async () => {
    const { start_time, end_time, bucket_width } = await askedWith({}, {});
    const days = daysBetween(start_time, end_time);
    assert.ok(days > 29 && days <= 30, `${days} days`);
    assert.match(start_time ?? '', /T00:00:00\.000Z$/);
    assert.equal(bucket_width, 'day');
  });

  for (const [period, shortest, longest] of [
    ['today', 0, 1],
    ['7-days', 6, 7],
    ['30-days', 29, 30],
    ['this-month', 0, 31],
  ] as const) {
    it(`covers the period ${period}, set in the node or in msg.period, in whole UTC days`, async () => {
      const earlier = { start_time: '2020-01-01', end_time: '2020-01-02' };
      for (const [node, message] of [
        [{ period }, earlier],
        [{}, { ...earlier, period }],
      ] as const) {
        const { start_time, end_time } = await askedWith(node, message);
        const days = daysBetween(start_time, end_time);
        assert.ok(days >= shortest && days <= longest, `${days} days`);
        assert.match(start_time ?? '', period === 'this-month' ? /-01T00:00:00\.000Z$/ : /T00:00:00\.000Z$/);
      }
    });
  }

  it('uses the times of the message if the period is custom', async () => {
    const times = { start_time: '2026-01-01T00:00:00.000Z', end_time: '2026-01-02T00:00:00.000Z' };
    const { start_time, end_time } = await askedWith({ period: 'custom' }, times);
    assert.deepEqual({ start_time, end_time }, times);
  });

  it('covers the last 7 days if the interval is an hour', async () => {
    const { start_time, end_time } = await askedWith({ bucket_width: 'hour' }, {});
    const days = daysBetween(start_time, end_time);
    assert.ok(days > 6 && days <= 7, `${days} days`);
  });

  it('counts the days back from a given end', async () => {
    const { start_time, end_time } = await askedWith({ end_time: '2026-03-31T12:00:00+02:00' }, {});
    assert.deepEqual([start_time, end_time], ['2026-03-02T00:00:00.000Z', '2026-03-31T10:00:00.000Z']);
  });

  const times = {
    'a time': '2026-01-01T01:00:00+01:00',
    'a date': '2026-01-01',
    milliseconds: Date.UTC(2026, 0, 1),
    'a Date': new Date('2026-01-01'),
  };
  for (const [what, start_time] of Object.entries(times)) {
    it(`accepts ${what} as start`, async () => {
      const query = await askedWith({}, { start_time });
      assert.equal(query['start_time'], '2026-01-01T00:00:00.000Z');
    });
  }

  for (const [what, breakdown_type] of Object.entries({
    'a text with commas': 'voice_id, model',
    'a list': ['voice_id', 'model'],
  })) {
    it(`groups by several values in ${what}`, () =>
      reporting({}, async (flow, { requests }) => {
        flow.send('node', { breakdown_type });
        await flow.out('done');
        assert.deepEqual(requests[0]?.query.getAll('breakdown_type'), ['voice_id', 'model']);
      }));
  }

  const invalid: [name: string, message: object, says: RegExp][] = [
    [
      'an invalid time',
      { start_time: 'yesterday' },
      /^msg\.start_time is "yesterday": expected a time such as/,
    ],
    [
      'a time outside the calendar',
      { start_time: 9e15 },
      /^msg\.start_time is 9000000000000000: expected a time/,
    ],
    ['an unknown group', { breakdown_type: 'model,colour' }, /^breakdown_type\.1 is "colour": .*"voice_id"/],
    [
      'two groups that exclude each other',
      { breakdown_type: 'voice_id,voice_name' },
      /^breakdown_type is .*not both/,
    ],
    ['an unknown interval', { bucket_width: 'week' }, /^msg\.bucket_width is "week"/],
    ['an unknown report', { report: 'mood' }, /^msg\.report is "mood": .*"time"\|"voice"/],
  ];
  for (const [name, message, says] of invalid) {
    it(`sends the message to fatal without a request: ${name}`, () =>
      reporting({ bucket_width: '', report: '' }, async (flow, { requests }) => {
        flow.send('node', message);
        assert.match(errorOf(await flow.out('fatal')).message, says);
        assert.equal(requests.length, 0);
      }));
  }
});

describe('usage by voice', () => {
  it('lists one item per voice and day', () =>
    reporting({ report: 'voice' }, async (flow, { requests }) => {
      flow.send('node', { start_date: '2026-01-01', end_date: Date.UTC(2026, 0, 9) });
      const { payload, speech } = await flow.out('done');
      assert.deepEqual([payload, speech], [[used, rounded], { total: 2 }]);
      assert.deepEqual(Object.fromEntries(requests[0]?.query ?? []), {
        start_date: '2026-01-01',
        end_date: '2026-01-09',
      });
    }));

  it('covers 30 days by default, including today', async () => {
    const { start_date, end_date } = await askedWith({ report: 'voice' }, {});
    assert.equal(daysBetween(start_date, end_date), 29);
    const lag = daysBetween(end_date, new Date().toISOString());
    assert.ok(lag >= 0 && lag < 2, `${lag} days`);
  });
});

describe('usage with the local service', () => {
  keepLocalService();
  const minutes = z.array(z.object({ results: z.array(z.object({ minutes_used: z.number() })) }));

  it('reports the minutes and the voices used today', () =>
    withFlow(
      [
        localAccount(),
        speechNode('text-to-speech', { id: 'speak' }),
        speechNode('usage', { breakdown_type: 'voice_id' }),
        speechNode('usage', { id: 'voices', report: 'voice' }),
      ],
      async (flow) => {
        flow.send('speak', { payload: 'The kettle has boiled.' });
        const { duration } = z.object({ duration: z.number() }).parse((await flow.out('done'))['speech']);
        flow.send('node', {});
        const results = minutes.parse((await flow.out('done')).payload).flatMap((one) => one.results);
        const sum = results.reduce((total, { minutes_used }) => total + minutes_used, 0);
        assert.ok(Math.abs(sum - duration / 60) < 0.001, `${sum} minutes`);
        flow.send('voices', {});
        const voices = z.array(z.object({ voice_id: z.string() })).parse((await flow.out('done')).payload);
        assert.deepEqual(voices, [{ voice_id: 'rms' }]);
      },
    ));
});

describe('a period that makes no sense', () => {
  const later = new Date(Date.now() + 3 * DAY_MS).toISOString().slice(0, 10);
  const order = 'expected a period that does not end before it starts';
  const length = 'expected at most 30 days from the first to the last day';
  for (const [report, message, problem] of [
    ['voice', { start_date: later }, `msg.start_date is .*: ${order}`],
    ['voice', { start_date: '2026-02-01', end_date: '2026-01-01' }, `msg.end_date is "2026-01-01": ${order}`],
    ['voice', { start_date: '2026-01-01' }, `msg.start_date is "2026-01-01": ${length}`],
    ['voice', { start_date: '2026-01-01', end_date: '2026-03-01' }, `msg.start_date is .*: ${length}`],
    ['time', { start_time: later }, `msg.start_time is .*: ${order}`],
  ] as const) {
    it(`leaves on fatal and names the field that the user has set: ${report}, ${Object.keys(message).join(' and ')}, ${problem.slice(-20)}`, () =>
      reporting({ report }, async (flow, { requests }) => {
        flow.send('node', { ...message });
        const error = errorOf(await flow.out('fatal'));
        assert.equal(error.code, 'bad-request');
        assert.match(error.message, new RegExp(`^${problem}`));
        assert.equal(requests.length, 0);
      }));
  }
});
