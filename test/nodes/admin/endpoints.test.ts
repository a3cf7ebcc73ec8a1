import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { useNodeRed } from '../../support/shared-node-red.js';
import { refused, type Script, spoken, withServer } from '../../support/scripted-server.js';
import { wavOf } from '../../support/audio-files.js';
import { ask, failureOf, goodService, requests, voiceOf } from './asking.js';

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

describe('what the dialogs ask', () => {
  const nodeRed = useNodeRed();

  const voicesOf = async (body: object) => {
    const answer = await ask(nodeRed().url, 'voices', body);
    return {
      ids: found.parse(answer.json).voices.map(({ voice_id }) => voice_id),
      ...found.parse(answer.json),
    };
  };

  describe('of the local service, before the first deploy', () => {
    it('test: reaches it, and says that it keeps no balance', async () => {
      const { json } = await ask(nodeRed().url, 'test', local);
      assert.equal(json['balance'], null);
      assert.ok(Number(json['voices']) > 0);
      assert.equal(json['voice'], undefined);
    });

    it('voices: finds preset voices, by filters too', async () => {
      assert.ok((await voicesOf(local)).ids.includes('rms'));
      assert.ok(!(await voicesOf({ ...local, filters: { gender: 'female' } })).ids.includes('rms'));
      assert.deepEqual((await voicesOf({ ...local, library: 'own' })).ids, []);
    });

    it('voices: knows the voice that speaks where nobody chose one', async () => {
      assert.deepEqual((await voicesOf({ ...local, voice_id: '' })).ids, ['rms']);
      assert.deepEqual((await voicesOf({ ...local, voice_id: 'nobody' })).ids, []);
    });

    it('sample: brings the sound, though the browser could not reach where it is', async () => {
      const { json } = await ask(nodeRed().url, 'sample', {
        ...local,
        voice_id: 'rms',
        language: 'en',
        style: 'happy',
        model: 'main_speech_1',
      });
      assert.equal(bytesOf(json).toString('latin1', 0, 4), 'RIFF');
    });

    it('speak: speaks with the values of the dialog, the rest of them the account’s', async () => {
      const speak = (request: object) =>
        ask(nodeRed().url, 'speak', { ...local, request: { text: 'Hello.', ...request } });
      const [usual, slow] = await Promise.all([speak({}), speak({ voice_settings: { speed: 0.5 } })]);
      assert.equal(bytesOf(usual.json).toString('latin1', 0, 4), 'RIFF');
      assert.ok(Number(slow.json['duration']) > Number(usual.json['duration']));
    });
  });

  describe('of a hosted service, with a key that was typed', () => {
    it('test: says the balance and how many voices there are', () =>
      withServer(goodService, async ({ url }) => {
        assert.deepEqual((await ask(nodeRed().url, 'test', hosted(url))).json, { balance: 120, voices: 1 });
      }));

    it('test: says what is wrong with the voice of the account, when all else is well', () => {
      const script: Script = (request, index) =>
        request.path.startsWith('/v1/predict-duration/') ? refused(404) : goodService(request, index);
      return withServer(script, async ({ url }) => {
        const { json } = await ask(nodeRed().url, 'test', hosted(url));
        assert.equal(failureOf({ status: 200, text: '', json: { error: json['voice'] } }).code, 'not-found');
      });
    });

    it('test: asks once when the key is wrong, and repeats no key of the service’s words', () => {
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

    it('test: says that nobody answers at the address', async function () {
      const answer = await ask(nodeRed().url, 'test', hosted('http://127.0.0.1:9'));
      assert.equal(failureOf(answer).code, 'no-connection');
    });

    it('voices: puts own voices first, and tells the browser no address of a sample', () =>
      withServer(goodService, async ({ url }) => {
        const answer = await ask(nodeRed().url, 'voices', hosted(url));
        assert.deepEqual((await voicesOf(hosted(url))).ids, ['mine', 'anna']);
        assert.ok(!answer.text.includes('anna.wav'));
      }));

    it('voices: shows preset ones to an account that may have none of its own', () => {
      const script: Script = (request, index) =>
        request.path.startsWith('/v1/custom-voices') ? refused(403) : goodService(request, index);
      return withServer(script, async ({ url }) =>
        assert.deepEqual((await voicesOf(hosted(url))).ids, ['anna']),
      );
    });

    it('voices: reads a library without end up to a bound, and says that there is more', () => {
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

    it('speak: says the seconds and what they cost', () => {
      const script: Script = () => {
        const reply = spoken({ seconds: 0.5 });
        return { ...reply, headers: { ...reply.headers, 'x-audio-length': '0.5' } };
      };
      return withServer(script, async ({ url }) => {
        const { json } = await ask(nodeRed().url, 'speak', { ...hosted(url), request: { text: 'Hello.' } });
        assert.deepEqual([json['duration'], json['chargedSeconds'], json['mime']], [0.5, 0.5, 'audio/wav']);
      });
    });

    const senseless: [string, object, RegExp][] = [
      ['a text of more than 300 characters', { text: 'a'.repeat(301) }, /text.*300/],
      ['a setting out of its range', { text: 'Hello.', voice_settings: { speed: 9 } }, /speed/],
      ['no text', {}, /text/],
    ];
    for (const [what, request, says] of senseless) {
      it(`speak: refuses ${what} before anything is sent`, () =>
        withServer(goodService, async ({ url, requests: seen }) => {
          const answer = await ask(nodeRed().url, 'speak', { ...hosted(url), request });
          assert.match(failureOf(answer).message, says);
          assert.deepEqual(seen, []);
        }));
    }
  });

  describe('is no open proxy', () => {
    it('asks no path but those of the operations, whatever the request says', () =>
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
      ['that is a file of the server', () => 'file:///etc/passwd', /not one of the web/],
      ['that is no audio', (host) => `http://${host}/page`, /neither WAV nor MP3/],
      ['that leads elsewhere', (host) => `http://${host}/moved`, /cannot play the sample: status 302/],
      ['that is too large', (host) => `http://${host}/large`, /larger than/],
      ['that is gone', (host) => `http://${host}/gone`, /cannot play the sample: status 404/],
    ];
    for (const [what, place, says] of bad) {
      it(`brings no sample ${what}`, () => {
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

    it('brings no sample that the service does not name', () =>
      withServer(goodService, async ({ url }) => {
        const answer = await ask(nodeRed().url, 'sample', {
          ...hosted(url),
          ...requests['sample'],
          style: 'happy',
        });
        assert.equal(failureOf(answer).code, 'not-found');
      }));

    it('sends no key along with a sample', () =>
      withServer(goodService, async ({ url, requests: seen }) => {
        await ask(nodeRed().url, 'sample', { ...hosted(url), ...requests['sample'] });
        const fetched = seen.filter(({ path }) => path === '/anna.wav');
        assert.equal(fetched.length, 1);
        assert.ok(!JSON.stringify(fetched[0]?.headers).includes(KEY));
      }));
  });
});
