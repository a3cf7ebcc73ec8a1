import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { type Flow, localAccount, speechNode, withFlow, withHostedFlow } from '../support/flow.js';
import { keepLocalService } from '../support/local-service.js';
import { errorOf } from '../support/messages.js';
import type { Scripted, ScriptedServer, Seen } from '../support/scripted-server.js';

const DAY_MS = 86_400_000;

const bucket = (day: number) => ({
  starting_at: `2026-01-0${day}T00:00:00Z`,
  ending_at: `2026-01-0${day + 1}T00:00:00Z`,
  results: [{ minutes_used: day, voice_id: 'rms' }],
});
const used = { date: '2026-01-01', voice_id: 'rms', total_minutes_used: 1.5 };

/** Three pages of a bucket each, or the usage of one voice. */
function script({ path, query }: Seen): Scripted {
  if (path === '/v1/voice-usage') return { body: { usages: [used, used] } };
  const page = Number(query.get('next_page_token') ?? 1);
  return { body: { data: [bucket(page)], total: 3, next_page_token: page < 3 ? String(page + 1) : null } };
}

const reporting = (properties: object, work: (flow: Flow, server: ScriptedServer) => Promise<void>) =>
  withHostedFlow(script, [speechNode('usage', properties)], work);

/** The query of the first request that a message leads to. */
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
  it('gives every step of the time, whatever page it is on', () =>
    reporting({}, async (flow, { requests }) => {
      flow.send('node', { topic: 'kept' });
      const { payload, speech, topic } = await flow.out('done');
      assert.deepEqual(payload, [1, 2, 3].map(bucket));
      assert.deepEqual([speech, topic], [{ total: 3 }, 'kept']);
      assert.equal(requests.length, 3);
      assert.ok(requests.every(({ path, query }) => path === '/v1/usage' && query.get('page_size') === '20'));
    }));

  it('covers the last 30 days in UTC where nothing is said, today included', async () => {
    const { start_time, end_time, bucket_width } = await askedWith({}, {});
    const days = daysBetween(start_time, end_time);
    assert.ok(days > 29 && days <= 30, `${days} days`);
    assert.match(start_time ?? '', /T00:00:00\.000Z$/);
    assert.equal(bucket_width, 'day');
  });

  it('covers the last 7 days by the hour', async () => {
    const { start_time, end_time } = await askedWith({ bucket_width: 'hour' }, {});
    const days = daysBetween(start_time, end_time);
    assert.ok(days > 6 && days <= 7, `${days} days`);
  });

  it('counts back from the end that is said', async () => {
    const { start_time, end_time } = await askedWith({ end_time: '2026-03-31T12:00:00+02:00' }, {});
    assert.deepEqual([start_time, end_time], ['2026-03-02T00:00:00.000Z', '2026-03-31T10:00:00.000Z']);
  });

  const times = {
    'a time': '2026-01-01T01:00:00+01:00',
    'a date': '2026-01-01',
    'milliseconds, as an inject node sends them': Date.UTC(2026, 0, 1),
    'a Date': new Date('2026-01-01'),
  };
  for (const [what, start_time] of Object.entries(times)) {
    it(`begins at ${what}`, async () => {
      const query = await askedWith({}, { start_time });
      assert.equal(query['start_time'], '2026-01-01T00:00:00.000Z');
    });
  }

  for (const [what, breakdown_type] of Object.entries({
    'words with commas': 'voice_id, model',
    'a list': ['voice_id', 'model'],
  })) {
    it(`is told apart by several, said as ${what}`, () =>
      reporting({}, async (flow, { requests }) => {
        flow.send('node', { breakdown_type });
        await flow.out('done');
        assert.deepEqual(requests[0]?.query.getAll('breakdown_type'), ['voice_id', 'model']);
      }));
  }

  const wrong: [name: string, message: object, says: RegExp][] = [
    [
      'a time that is none',
      { start_time: 'yesterday' },
      /^start_time is "yesterday": expected a time such as/,
    ],
    [
      'a time beyond every calendar',
      { start_time: 9e15 },
      /^start_time is 9000000000000000: expected a time/,
    ],
    [
      'an unknown breakdown',
      { breakdown_type: 'model,colour' },
      /^breakdown_type\.1 is "colour": .*"voice_id"/,
    ],
    [
      'two breakdowns that exclude each other',
      { breakdown_type: 'voice_id,voice_name' },
      /^breakdown_type is .*not both/,
    ],
    ['an unknown step', { bucket_width: 'week' }, /^bucket_width is "week"/],
    ['an unknown report', { report: 'mood' }, /^report is "mood": .*"time"\|"voice"/],
  ];
  for (const [name, message, says] of wrong) {
    it(`leaves ${name} on fatal, and nothing is sent`, () =>
      reporting({ bucket_width: '', report: '' }, async (flow, { requests }) => {
        flow.send('node', message);
        assert.match(errorOf(await flow.out('fatal')).message, says);
        assert.equal(requests.length, 0);
      }));
  }
});

describe('usage by voice', () => {
  it('gives an item for each voice and day', () =>
    reporting({ report: 'voice' }, async (flow, { requests }) => {
      flow.send('node', { start_date: '2026-01-01', end_date: Date.UTC(2026, 0, 9) });
      const { payload, speech } = await flow.out('done');
      assert.deepEqual([payload, speech], [[used, used], { total: 2 }]);
      assert.deepEqual(Object.fromEntries(requests[0]?.query ?? []), {
        start_date: '2026-01-01',
        end_date: '2026-01-09',
      });
    }));

  it('covers 30 days where nothing is said, today included', async () => {
    const { start_date, end_date } = await askedWith({ report: 'voice' }, {});
    assert.equal(daysBetween(start_date, end_date), 29);
    const lag = daysBetween(end_date, new Date().toISOString());
    assert.ok(lag >= 0 && lag < 2, `${lag} days`);
  });
});

describe('usage of the service on this machine', () => {
  keepLocalService();
  const minutes = z.array(z.object({ results: z.array(z.object({ minutes_used: z.number() })) }));

  it('tells what was spoken today', () =>
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
