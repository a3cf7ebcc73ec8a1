import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { useNodeRed } from '../../../support/node-red/shared-node-red.js';
import { refused, type Script, spoken, withServer } from '../../../support/net/scripted-server.js';
import { wavOf } from '../../../support/audio-files.js';
import { ask, failureOf, goodService, requests, voiceOf } from '../asking.js';

const KEY = 'sk-Nobody/may+see=this';
const local = { typed: { service: 'local' } };
const hosted = (url: string, apiKey = KEY) => ({
  typed: { service: 'hosted', url, apiKey, requestsPerMinute: '10000', voice_id: 'anna' },
});

const found = z.object({
  voices: z.array(
    z.looseObject({ voice_id: z.string(), own: z.boolean(), samples: z.array(z.looseObject({})) }),
  ),
  more: z.boolean(),
});
const sound = z.object({ audio: z.base64(), mime: z.string() });
const bytesOf = (json: object) => Buffer.from(sound.parse(json).audio, 'base64');

describe('admin endpoints', () => {
  const nodeRed = useNodeRed();

  const voicesOf = async (body: object) => {
    const answer = await ask(nodeRed().url, 'voices', body);
    return {
      ids: found.parse(answer.json).voices.map(({ voice_id }) => voice_id),
      ...found.parse(answer.json),
    };
  };

  describe('with the local service, before the first deploy', () => {
    it('test: returns the number of voices, and null as balance', async () => {
      const { json } = await ask(nodeRed().url, 'test', local);
      assert.equal(json['balance'], null);
      assert.ok(Number(json['voices']) > 0);
      assert.equal(json['voice'], undefined);
    });

    it('voices: lists preset voices, filters them, and lists custom voices', async () => {
      assert.ok((await voicesOf(local)).ids.includes('rms'));
      assert.ok(!(await voicesOf({ ...local, filters: { gender: 'female' } })).ids.includes('rms'));
      assert.deepEqual((await voicesOf({ ...local, library: 'own' })).ids, []);
    });

    it('voices: returns the default voice for a blank id and none for an unknown id', async () => {
      assert.deepEqual((await voicesOf({ ...local, voice_id: '' })).ids, ['rms']);
      assert.deepEqual((await voicesOf({ ...local, voice_id: 'nobody' })).ids, []);
    });

    it('sample: returns the audio, which the browser itself could not fetch', async () => {
      const { json } = await ask(nodeRed().url, 'sample', {
        ...local,
        voice_id: 'rms',
        language: 'en',
        style: 'happy',
        model: 'main_speech_1',
      });
      assert.equal(bytesOf(json).toString('latin1', 0, 4), 'RIFF');
    });

    it('speak: uses the values of the dialog and the defaults of the account', async () => {
      const speak = (request: object) =>
        ask(nodeRed().url, 'speak', { ...local, request: { text: 'Hello.', ...request } });
      const [normal, slow] = await Promise.all([speak({}), speak({ voice_settings: { speed: 0.5 } })]);
      assert.equal(bytesOf(normal.json).toString('latin1', 0, 4), 'RIFF');
      assert.ok(Number(slow.json['duration']) > Number(normal.json['duration']));
    });
  });

  describe('with a hosted service and a typed key', () => {
    it('test: returns the balance, the number of voices and the features', () =>
      withServer(goodService, async ({ url }) => {
        const { latencyMs, ...json } = (await ask(nodeRed().url, 'test', hosted(url))).json;
        assert.ok(Number(latencyMs) >= 0);
        const settings = { speed: true, styles: true, instructions: false };
        const features = { ...settings, customVoices: true, formats: ['wav', 'mp3'] };
        assert.deepEqual(json, {
          balance: 120,
          voices: 1,
          spoken: false,
          features: { ...features, maxTextLength: 300 },
        });
      }));

    it('test: returns the error of the account’s voice if the other checks pass', () => {
      const script: Script = (request, index) =>
        request.path.startsWith('/v1/predict-duration/') ? refused(404) : goodService(request, index);
      return withServer(script, async ({ url }) => {
        const { json } = await ask(nodeRed().url, 'test', hosted(url));
        assert.equal(failureOf({ status: 200, text: '', json: { error: json['voice'] } }).code, 'not-found');
      });
    });

    it('test: sends one request if the key is wrong, and removes the key from the service’s error', () => {
      const script: Script = ({ headers }) => ({
        status: 401,
        body: { status: 'error', message: `no such key: ${String(headers['x-sup-api-key'])}` },
      });
      return withServer(script, async ({ url, requests: seen }) => {
        const answer = await ask(nodeRed().url, 'test', hosted(url));
        assert.equal(failureOf(answer).code, 'unauthorized');
        assert.ok(!answer.text.includes(KEY));
        assert.equal(seen.length, 1);
      });
    });

    it('test: returns no-connection if no server listens at the base URL', async () => {
      const answer = await ask(nodeRed().url, 'test', hosted('http://127.0.0.1:9'));
      assert.equal(failureOf(answer).code, 'no-connection');
    });

    it('voices: lists custom voices first, without the URLs of samples', () =>
      withServer(goodService, async ({ url }) => {
        const answer = await ask(nodeRed().url, 'voices', hosted(url));
        assert.deepEqual((await voicesOf(hosted(url))).ids, ['mine', 'anna']);
        assert.ok(!answer.text.includes('anna.wav'));
      }));

    it('voices: lists preset voices if the account has no access to custom voices', () => {
      const script: Script = (request, index) =>
        request.path.startsWith('/v1/custom-voices') ? refused(403) : goodService(request, index);
      return withServer(script, async ({ url }) =>
        assert.deepEqual((await voicesOf(hosted(url))).ids, ['anna']),
      );
    });

    it('voices: reads at most five pages and reports that more voices exist', () => {
      const script: Script = ({ path }, index) => ({
        body: path.startsWith('/v1/custom')
          ? { items: [] }
          : { items: [voiceOf(`voice-${index}`)], total: 1e6, next_page_token: String(index) },
      });
      return withServer(script, async ({ url, requests: seen }) => {
        const { ids, more } = await voicesOf(hosted(url));
        assert.deepEqual([ids.length, more, seen.length], [5, true, 6]);
      });
    });

    it('speak: returns the duration and the charged seconds', () => {
      const script: Script = () => {
        const reply = spoken({ seconds: 0.5 });
        return { ...reply, headers: { ...reply.headers, 'x-audio-length': '0.5' } };
      };
      return withServer(script, async ({ url }) => {
        const { json } = await ask(nodeRed().url, 'speak', { ...hosted(url), request: { text: 'Hello.' } });
        assert.deepEqual([json['duration'], json['chargedSeconds'], json['mime']], [0.5, 0.5, 'audio/wav']);
      });
    });

    it('speak: removes markup from the text, unless the dialog reads it', () =>
      withServer(
        () => spoken(),
        async ({ url, requests: seen }) => {
          for (const more of [{}, { markup: 'read' }])
            await ask(nodeRed().url, 'speak', { ...hosted(url), request: { text: '<b>Hi</b>', ...more } });
          assert.deepEqual(
            seen.flatMap(({ json }) => json['text'] ?? []),
            ['Hi', '<b>Hi</b>'],
          );
        },
      ));

    const invalid: [string, object, RegExp][] = [
      ['a text of more than 300 characters', { text: 'a'.repeat(301) }, /text.*300/],
      ['a setting out of its range', { text: 'Hello.', voice_settings: { speed: 9 } }, /speed/],
      ['a missing text', {}, /text/],
    ];
    for (const [what, request, says] of invalid) {
      it(`speak: rejects ${what} without a request to the service`, () =>
        withServer(goodService, async ({ url, requests: seen }) => {
          const answer = await ask(nodeRed().url, 'speak', { ...hosted(url), request });
          assert.match(failureOf(answer).message, says);
          assert.deepEqual(seen, []);
        }));
    }
  });

  describe('in the language of the editor', () => {
    const german = (name: string, body: object) => ask(nodeRed().url, name, body, undefined, 'de');

    it('test: explains a wrong key by the label of its field, without the text of the service', () =>
      withServer(
        () => refused(401),
        async ({ url }) =>
          assert.equal(
            failureOf(await german('test', hosted(url))).message,
            'API-Schlüssel: Der Dienst nimmt diesen Schlüssel nicht an (401). Geben Sie einen gültigen Schlüssel ein.',
          ),
      ));

    it('speak: names an invalid field by its label', async () => {
      const answer = await german('speak', {
        ...local,
        request: { text: 'Hallo.', voice_settings: { speed: 9 } },
      });
      assert.match(failureOf(answer).message, /^Tempo \(voice_settings\.speed\) ist 9: erwartet wird/);
    });

    it('voices: translates the problem of a request', async () => {
      const { status, json } = await german('voices', { ...local, library: 'none' });
      assert.equal(status, 400);
      assert.match(JSON.stringify(json), /Bibliothek \(library\) ist .*erwartet wird einer der Werte/);
    });

    it('speak: translates warnings', async () => {
      const { json } = await german('speak', {
        ...local,
        request: { text: 'Nummer \ud800.', language: 'en' },
      });
      assert.deepEqual(json['warnings'], [
        'Text (text): ein unvollständiges Zeichen wurde durch ein Leerzeichen ersetzt',
      ]);
    });

    for (const [language, label] of [
      ['es-MX', 'Texto (text)'],
      ['ja', 'テキスト (text)'],
      ['ko-KR', '텍스트 (text)'],
    ] as const) {
      it(`answers in ${language} before an editor in this language was opened`, async () => {
        const answer = await ask(nodeRed().url, 'speak', { ...local, request: {} }, undefined, language);
        assert.ok(failureOf(answer).message.includes(label), failureOf(answer).message);
      });
    }

    it('answers an editor in another language in the language of Node-RED', async () => {
      const answer = await ask(nodeRed().url, 'speak', { ...local, request: {} }, undefined, 'xx');
      assert.match(failureOf(answer).message, /^Text \(text\) is missing/);
    });
  });

  describe('with requests of other sites', () => {
    const send = (headers: Record<string, string>, body: string) =>
      fetch(`${nodeRed().url}herald/test`, { method: 'POST', headers, body });

    it('refuse the form of a page', async () => {
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      assert.equal((await send(form, 'typed[service]=local')).status, 415);
      assert.equal(
        (await send({ 'content-type': 'text/plain' }, '{"typed":{"service":"local"}}')).status,
        415,
      );
    });

    it('refuse a request that the browser marks as foreign', async () => {
      for (const site of ['cross-site', 'same-site']) {
        const headers = { 'content-type': 'application/json', 'sec-fetch-site': site };
        assert.equal((await send(headers, JSON.stringify(local))).status, 403);
      }
    });
  });

  describe('with requests for other addresses', () => {
    it('request only the paths of operations', () =>
      withServer(goodService, async ({ url, requests: seen }) => {
        for (const [name, request] of Object.entries(requests)) {
          const more = { url: `${url}/secret`, path: '/secret', sample: `${url}/secret` };
          await ask(nodeRed().url, name, { ...more, ...hosted(url), ...request, ...more });
        }
        await ask(nodeRed().url, 'sample', {
          ...hosted(url),
          ...requests['sample'],
          voice_id: '../../secret',
        });
        await ask(nodeRed().url, 'voices', { ...hosted(url), voice_id: '..' });
        assert.ok(seen.length > 0);
        assert.deepEqual(
          seen.filter(({ path }) => /secret/.test(decodeURIComponent(path)) && !/%2F/i.test(path)),
          [],
        );
      }));

    const redirect = { status: 302, headers: { location: '/anna.wav' } };
    const bad: [string, (host: string) => string, RegExp][] = [
      ['from a file URL', () => 'file:///etc/passwd', /not an HTTP or HTTPS URL/],
      ['from an HTML page', (host) => `http://${host}/page`, /neither WAV nor MP3/],
      [
        'behind a redirect',
        (host) => `http://${host}/moved`,
        /cannot play the sample: the server replied 302/,
      ],
      ['larger than the limit', (host) => `http://${host}/large`, /larger than/],
      ['after a 404', (host) => `http://${host}/gone`, /cannot play the sample: the server replied 404/],
    ];
    for (const [what, place, says] of bad) {
      it(`sample: returns no audio ${what}`, () => {
        const script: Script = (request, index) => {
          const sample = { language: 'en', style: 'neutral', model: 'main_speech_1' };
          const url = place(request.headers.host ?? '');
          if (request.path === '/page')
            return { headers: { 'content-type': 'text/html' }, body: Buffer.from('<p>') };
          if (request.path === '/moved') return redirect;
          if (request.path === '/large') return { body: wavOf({ seconds: 300 }) };
          if (request.path === '/v1/voices/anna')
            return { body: voiceOf('anna', { samples: [{ ...sample, url }] }) };
          return goodService(request, index);
        };
        return withServer(script, async ({ url }) => {
          const answer = await ask(nodeRed().url, 'sample', { ...hosted(url), ...requests['sample'] });
          assert.match(failureOf(answer).message, says);
        });
      });
    }

    it('sample: returns not-found if the voice has no such sample', () =>
      withServer(goodService, async ({ url }) => {
        const answer = await ask(nodeRed().url, 'sample', {
          ...hosted(url),
          ...requests['sample'],
          style: 'happy',
        });
        assert.equal(failureOf(answer).code, 'not-found');
      }));

    it('sample: fetches the audio without the key', () =>
      withServer(goodService, async ({ url, requests: seen }) => {
        await ask(nodeRed().url, 'sample', { ...hosted(url), ...requests['sample'] });
        const fetched = seen.filter(({ path }) => path === '/anna.wav');
        assert.equal(fetched.length, 1);
        assert.ok(!JSON.stringify(fetched[0]?.headers).includes(KEY));
      }));
  });
});
