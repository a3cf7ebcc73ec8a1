import assert from 'node:assert/strict';
import type { Client } from '../../../../client/index.js';
import { getVoice, listVoices, searchVoices } from '../../../../client/interface/operations.js';
import { readVoices } from '../../../../client/upstreams/openai/listed-voices.js';
import { rejection } from '../../../support/rejection.js';
import { type Script, type Scripted, spoken } from '../../../support/net/scripted-server.js';
import { failed, speech, typed, withOpenAi } from './support.js';

const USUAL = 'alloy ash ballad coral echo fable nova onyx sage shimmer verse'.split(' ');

/** A service with voices. All other paths are speech. */
const listing =
  (reply: Scripted | Script): Script =>
  (request, index) => {
    if (request.path !== '/v1/audio/voices') return spoken();
    return typeof reply === 'function' ? reply(request, index) : reply;
  };

const idsOf = async (client: Client): Promise<string[]> =>
  (await client.call(listVoices, { page_size: 100 })).items.map(({ voice_id }) => voice_id);

/** Returns the voices in a body. */
const listed = (body: unknown) => [...(readVoices(body) ?? assert.fail('no list')).values()];

const factsOf = (body: unknown) =>
  listed(body).map(({ voice_id, name, language, gender, locale }) => [
    voice_id,
    name,
    language?.join(),
    gender,
    locale,
  ]);

describe('the voices of an OpenAI-compatible service', () => {
  for (const [what, body] of Object.entries({
    'names in "voices"': { voices: ['a', 'b'] },
    'names in "data"': { object: 'list', data: ['a', 'b'] },
    'a plain list of names': ['a', 'b'],
    'objects with "id"': { voices: [{ id: 'a' }, { id: 'b' }] },
    'objects with "voice_id"': { data: [{ voice_id: 'a' }, { voice_id: 'b' }] },
    'objects with a name only': [{ name: 'a' }, { name: 'b' }],
    'invalid entries beside voices': ['a', null, 5, {}, [], { id: 7 }, 'b', 'a', 'x y', ''],
  }))
    it(`are read from ${what}`, () =>
      withOpenAi(listing({ body }), async (client) => {
        assert.deepEqual(await idsOf(client), ['a', 'b']);
      }));

  it('have the languages, the region and the gender in any field of the reply', () => {
    assert.deepEqual(
      factsOf([
        { id: 'a', name: 'Anna', language: 'de', gender: 'Female' },
        { id: 'b', languages: ['en', 'en-GB', 'fr'], gender: 'male' },
        { id: 'c', locale: 'pt_br' },
        { id: 'd', lang: 'deu' },
        { id: 'e', languages: [{ code: 'es' }, { language: 'it-IT' }] },
      ]),
      [
        ['a', 'Anna', 'de', 'female', undefined],
        ['b', 'b', 'en,fr', 'male', 'en-GB'],
        ['c', 'c', 'pt', undefined, 'pt-BR'],
        ['d', 'd', 'de', undefined, undefined],
        ['e', 'e', 'es,it', undefined, 'it-IT'],
      ],
    );
  });

  it('have no language and no gender if the reply has none, also if their names suggest some', () => {
    const names = ['af_bella', 'de-anna', 'Anna (German)', 'en_US-joe-medium', 'female_1'];
    const unknown = { language: 'English', lang: 'english', locale: 7, gender: '' };
    const voices = [...names, ...names.map((name) => ({ id: `${name}2`, ...unknown }))];
    for (const { language = [], gender } of listed(voices))
      assert.deepEqual([...language, gender], [undefined]);
  });

  it('of unknown languages speak each language, and voices of other languages do not', () =>
    withOpenAi(
      listing({ body: [{ id: 'a', lang: 'fr' }, { id: 'b' }, { id: 'c', lang: 'de' }] }),
      async (client) => {
        const { items } = await client.call(searchVoices, { language: 'de' });
        assert.deepEqual(
          items.map(({ voice_id }) => voice_id),
          ['b', 'c'],
        );
        assert.equal((await client.complete({ language: 'de' })).voice_id, 'b');
        assert.equal((await client.complete({ voice_id: 'c' })).language, 'de');
      },
    ));

  it('come in pages', () =>
    withOpenAi(
      listing({ body: Array.from({ length: 45 }, (_, index) => `v${index}`) }),
      async (client, { requests }) => {
        const ids: string[] = [];
        for await (const { items } of client.pages(listVoices, {}))
          ids.push(...items.map(({ voice_id }) => voice_id));
        assert.deepEqual([ids.length, ids.at(-1), requests.length], [45, 'v44', 1]);
      },
    ));

  for (const [what, reply] of Object.entries({
    'a 404': { status: 404, body: { detail: 'Not Found' } },
    'a 403': failed(403, {}),
    'a 405': { status: 405 },
    'a 501': { status: 501 },
    'a page with 200': typed('text/html', '<html>["a"]</html>'),
    'an object without a list': { body: { status: 'ok' } },
    'an empty list': { body: { voices: [] } },
    'a redirect': { status: 302, headers: { location: '/' } },
  } satisfies Record<string, Scripted>)) {
    it(`are the usual names if the service answers ${what}, and the typed ones if the account has some`, async () => {
      await withOpenAi(listing(reply), async (client) => assert.deepEqual(await idsOf(client), USUAL));
      const openai = { voices: ['one', 'two'] };
      await withOpenAi(
        listing(reply),
        async (client) => assert.deepEqual(await idsOf(client), ['one', 'two']),
        {
          openai,
        },
      );
    });
  }

  for (const [status, code, sent] of [
    [401, 'unauthorized', 1],
    [429, 'rate-limited', 3],
    [500, 'service-failed', 3],
    [503, 'service-failed', 3],
  ] as const)
    it(`fail as ${code} for a ${status}`, () =>
      withOpenAi(listing({ status }), async (client, { requests }) => {
        assert.equal((await rejection(idsOf(client))).code, code);
        assert.equal(requests.length, sent);
      }));

  it('are asked for with the key, or without a header', async () => {
    for (const [apiKey, header] of [
      ['sk-1', 'Bearer sk-1'],
      ['', undefined],
    ] as const)
      await withOpenAi(
        listing({ body: ['a'] }),
        async (client, { requests }) => {
          await idsOf(client);
          assert.deepEqual(
            requests.map(({ headers }) => headers.authorization),
            [header],
          );
        },
        { apiKey },
      );
  });

  it('do not decide which voice may speak: an unknown voice is sent, and the service decides', () =>
    withOpenAi(listing({ body: ['a'] }), async (client, { requests }) => {
      const wanted = await client.complete({ ...speech, voice_id: 'unlisted' });
      assert.equal((await client.speak({ ...wanted })).format, 'wav');
      assert.equal(requests.at(-1)?.json['voice'], 'unlisted');
      const error = await rejection(client.call(getVoice, { voice_id: 'unlisted' }));
      assert.deepEqual([error.code, error.route], ['not-found', 'fatal']);
    }));

  it('are bounded: at most 5,000, with short names', () => {
    const many = Array.from({ length: 9000 }, (_, index) => ({ id: `v${index}`, name: 'n'.repeat(900) }));
    const voices = listed(['x'.repeat(300), ...many]);
    assert.deepEqual([voices.length, voices[0]?.voice_id, voices[0]?.name?.length], [5000, 'v0', 200]);
  });
});
