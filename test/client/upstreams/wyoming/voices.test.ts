import assert from 'node:assert/strict';
import type { Client } from '../../../../client/index.js';
import {
  getVoice,
  listVoices,
  predictDuration,
  searchVoices,
} from '../../../../client/interface/operations.js';
import { voicesIn } from '../../../../client/upstreams/wyoming/voices.js';
import {
  infoOf,
  type ScriptedWyoming,
  send,
  speaks,
  type WyomingScript,
  withWyoming,
} from '../../../support/net/wyoming-server.js';
import { rejection } from '../../../support/rejection.js';
import { withClient } from '../../../support/service/client-for.js';
import { until } from '../../../support/waiting.js';

const upstream = { kind: 'wyoming' } as const;

/** Runs `work` with a client of a scripted server. */
const withVoices = <Result>(
  script: WyomingScript,
  work: (client: Client, server: ScriptedWyoming) => Promise<Result>,
) =>
  withWyoming(script, (server) =>
    withClient({ url: server.url, upstream }, (client) => work(client, server)),
  );

const describing =
  (...voices: Parameters<typeof infoOf>): WyomingScript =>
  ({ type }, socket) => {
    if (type === 'describe') send(socket, infoOf(...voices));
  };

const ids = (info: unknown) => [...voicesIn(info).keys()];

describe('the voices of a Wyoming server', () => {
  it('have the names, languages, descriptions and authors of the server, and no guessed gender', () =>
    withVoices(
      describing({
        name: 'en_US-joe-medium',
        languages: ['en_US', 'en'],
        description: 'joe (medium)',
        attribution: { name: 'rhasspy', url: 'https://example.test' },
        speakers: null,
      }),
      async (client) => {
        const { items, total } = await client.call(listVoices, {});
        assert.equal(total, 1);
        const [voice] = items;
        assert.equal(voice?.voice_id, 'en_US-joe-medium');
        assert.equal(voice.name, 'en_US-joe-medium');
        assert.equal(voice.description, 'joe (medium), rhasspy');
        assert.deepEqual(voice.language, ['en']);
        assert.equal(voice['locale'], 'en-US');
        assert.equal(voice.gender, '');
      },
    ));

  it('have the name for people and the gender of a server that states them', () => {
    const { data } = infoOf(
      { name: 'awb', title: 'Angus', gender: 'Male' },
      { name: 'odd', title: 7, gender: 'see description!' },
    );
    const [angus, odd] = [...voicesIn(data).values()].map(({ listed }) => listed);
    assert.deepEqual([angus?.voice_id, angus?.name, angus?.gender], ['awb', 'Angus', 'male']);
    assert.deepEqual([odd?.name, odd?.gender], ['odd', undefined]);
  });

  it('have an identifier for each speaker, and one for the first speaker', () => {
    const { data } = infoOf(
      { name: 'libri', speakers: [{ name: 'p1' }, { name: 'p 2' }] },
      { name: 'alone', speakers: [{ name: 'only' }] },
    );
    assert.deepEqual(ids(data), ['libri', 'libri#p1', 'libri#p%202', 'alone']);
    assert.deepEqual(voicesIn(data).get('libri#p%202')?.chosen, { name: 'libri', speaker: 'p 2' });
  });

  it('leave out voices that are not installed, and names that no request can carry', () => {
    const { data } = infoOf(
      { name: 'here' },
      { name: 'missing', installed: false },
      { name: '' },
      { name: '..' },
      { name: 'x'.repeat(201) },
      { name: 'half \ud800' },
      { name: 'two words 100%#1' },
    );
    assert.deepEqual(ids(data), ['here', 'two%20words%20100%25%231']);
    const absent = { tts: [{ installed: false, voices: [{ name: 'a' }] }, { voices: [{ name: 'b' }] }] };
    assert.deepEqual(ids(absent), ['b']);
  });

  it('are at most 10,000, also if the server lists more', () => {
    const speakers = Array.from({ length: 100_000 }, (_, place) => ({ name: `p${place}` }));
    assert.equal(voicesIn(infoOf({ name: 'many', speakers }).data).size, 10_000);
    for (const odd of [null, 7, {}, { tts: 7 }, { tts: [null, { voices: [null, 7, { name: 7 }] }] }])
      assert.equal(voicesIn(odd).size, 0);
  });

  it('have two-letter languages; a voice of unknown languages is found in each language', () =>
    withVoices(
      describing(
        { name: 'a', languages: ['de-DE'] },
        { name: 'b', languages: ['cmn', 'yue', 'not a language', 'zh_Hans_CN'] },
        { name: 'c', languages: [] },
      ),
      async (client) => {
        const found = async (language: string) =>
          (await client.call(searchVoices, { language })).items.map(({ voice_id }) => voice_id);
        assert.deepEqual(await found('de'), ['a', 'c']);
        assert.deepEqual(await found('zh'), ['b', 'c']);
        assert.deepEqual(await found('en'), ['c']);
      },
    ));

  it('are asked for once by many callers, on one connection', () =>
    withVoices(describing({ name: 'v1' }), async (client, server) => {
      await Promise.all(Array.from({ length: 8 }, () => client.call(getVoice, { voice_id: 'v1' })));
      await client.call(listVoices, {});
      assert.equal(server.connections(), 1);
      assert.equal(server.events.length, 1);
    }));

  it('fail with not-found for an unknown voice', () =>
    withVoices(describing({ name: 'v1' }), async (client) => {
      const { code, message } = await rejection(client.call(getVoice, { voice_id: 'nobody' }));
      assert.equal(code, 'not-found');
      assert.match(message, /nobody/);
    }));

  it('predict a duration without a request', () =>
    withVoices(describing({ name: 'v1' }), async (client, server) => {
      const request = { voice_id: 'v1', language: 'en', text: 'Dinner is ready.' };
      const { duration, ...rest } = await client.call(predictDuration, request);
      assert.ok(duration > 0.5 && duration < 3);
      assert.equal(rest['estimated'], true);
      assert.equal(server.connections(), 0);
    }));

  it('end the request when its last caller stops, and not before', () =>
    withVoices(
      () => undefined,
      async (client, server) => {
        const stops = [new AbortController(), new AbortController()];
        const calls = stops.map(({ signal }) => rejection(client.call(listVoices, {}, { signal })));
        await until(() => server.events.length === 1);
        stops[0]?.abort();
        assert.equal((await calls[0])?.code, 'aborted');
        assert.equal(server.sockets.size, 1);
        stops[1]?.abort();
        assert.equal((await calls[1])?.code, 'aborted');
        await until(() => server.sockets.size === 0);
        assert.equal(server.connections(), 1);
      },
    ));

  it('are asked for again after a failed request', () =>
    withVoices(
      (event, socket, index) => (index === 0 ? void socket.destroy() : speaks(event, socket, index)),
      async (client, server) => {
        const { items } = await client.call(listVoices, {});
        assert.equal(items.length, 1);
        assert.equal(server.connections(), 2);
      },
    ));
});
