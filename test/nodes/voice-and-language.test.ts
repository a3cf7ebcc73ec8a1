import assert from 'node:assert/strict';
import { models } from '@herald-speech/client';
import { type Flow, localAccount, speechNode, withFlow, withHostedFlow } from '../support/node-red/flow.js';
import { shareLocalService } from '../support/service/local-service.js';
import { errorOf, speechOf } from '../support/node-red/messages.js';
import { refused, type Script, spoken } from '../support/net/scripted-server.js';

/** The local service speaks all languages of this model. */
const languages = models['compact_api_3']?.languages ?? [];

/** A sentence with a letter that every engine reads. */
const payload = '1, 2, 3';

const local = (work: (flow: Flow) => Promise<void>, account: object = {}) =>
  withFlow([localAccount(account), speechNode('text-to-speech')], work);

async function voiceFor(flow: Flow, message: object): Promise<{ voice_id: string; language: string }> {
  flow.send('node', { payload, ...message });
  const { voice_id, language } = speechOf(await flow.out('done'));
  return { voice_id, language };
}

describe('voice and language with the local service', () => {
  shareLocalService();

  it('speaks every language without a voice, and every voice without a language', () =>
    local(async (flow) => {
      for (const language of languages) {
        const chosen = await voiceFor(flow, { language });
        assert.equal(chosen.language, language);
        assert.deepEqual(await voiceFor(flow, { voice_id: chosen.voice_id }), chosen);
      }
    }));

  it('speaks English with the default voice if nothing is set', () =>
    local(async (flow) => {
      assert.deepEqual(await voiceFor(flow, {}), { voice_id: 'rms', language: 'en' });
    }));

  const accounts: [account: object, message: object, voice_id: string, language: string][] = [
    [{ language: 'de' }, {}, 'de-anna', 'de'],
    [{ language: 'de' }, { voice_id: 'rms' }, 'rms', 'en'],
    [{ language: 'de' }, { language: 'fr' }, 'fr-camille', 'fr'],
    [{ voice_id: 'de-lukas' }, {}, 'de-lukas', 'de'],
    [{ voice_id: 'de-lukas', language: 'en' }, {}, 'de-lukas', 'de'],
    [{ voice_id: 'de-lukas', language: 'en' }, { language: 'en' }, 'rms', 'en'],
    [{ voice_id: 'de-lukas' }, { language: 'de' }, 'de-lukas', 'de'],
    [{ voice_id: 'de-lukas' }, { voice_id: 'slt' }, 'slt', 'en'],
  ];
  for (const [account, message, voice_id, language] of accounts) {
    it(`speaks with ${voice_id} for account ${JSON.stringify(account)} and message ${JSON.stringify(message)}`, () =>
      local(async (flow) => {
        assert.deepEqual(await voiceFor(flow, message), { voice_id, language });
      }, account));
  }

  it('predicts a duration in the language of the account', () =>
    withFlow([localAccount({ language: 'de' }), speechNode('predict-duration')], async (flow) => {
      flow.send('node', { payload: 'Guten Tag.' });
      const { payload: seconds } = await flow.out('done');
      assert.ok(typeof seconds === 'number' && seconds > 0.3);
    }));

  it('uses the language in which the editor added the node, if the account has none', () =>
    withFlow([speechNode('text-to-speech', { account: '', locale: 'de' })], async (flow) => {
      assert.deepEqual(await voiceFor(flow, {}), { voice_id: 'de-anna', language: 'de' });
      assert.deepEqual(await voiceFor(flow, { language: 'en' }), { voice_id: 'rms', language: 'en' });
    }));

  it('names the languages of a voice that does not speak the language of the message', () =>
    local(async (flow) => {
      flow.send('node', { payload, voice_id: 'rms', language: 'de' });
      const { code, message, attempts } = errorOf(await flow.out('fatal'));
      assert.deepEqual({ code, attempts }, { code: 'bad-request', attempts: 0 });
      assert.equal(message, 'Russell speaks only English. Choose a voice that speaks German.');
    }));

  it('names a language that no voice speaks', () =>
    local(async (flow) => {
      flow.send('node', { payload, language: 'sw' });
      const { message } = errorOf(await flow.out('fatal'));
      assert.equal(message, 'The service has no Swahili voice. Choose another language.');
    }));

  const invalid: [account: object, says: RegExp][] = [
    [{ voice_id: '..' }, /^account\.voice_id is "\.\.": expected an identifier/],
    [{ language: 'german' }, /^account\.language is "german": expected a two-letter language code/],
  ];
  for (const [account, says] of invalid) {
    it(`rejects the account ${JSON.stringify(account)} before it sends a request`, () =>
      local(async (flow) => {
        flow.send('node', { payload });
        const { code, message, attempts } = errorOf(await flow.out('fatal'));
        assert.deepEqual({ code, attempts }, { code: 'bad-request', attempts: 0 });
        assert.match(message, says);
      }, account));
  }

  it('names the id of a voice whose name was sent as its id', () =>
    local(async (flow) => {
      for (const voice_id of ['Russell', 'russell']) {
        flow.send('node', { payload, voice_id });
        const { message } = errorOf(await flow.out('fatal'));
        assert.equal(
          message,
          `voice_id "${voice_id}": this is the name of a voice. Its identifier is "rms": use it instead.`,
        );
      }
    }));

  it('names an unknown voice and the fix', () =>
    local(async (flow) => {
      flow.send('node', { payload, voice_id: 'unheard' });
      const { message } = errorOf(await flow.out('fatal'));
      assert.equal(
        message,
        'voice_id "unheard": the service has no such voice. Choose one with “Find a voice”.',
      );
    }));

  it('reports the model and the style that the service used', () =>
    local(async (flow) => {
      flow.send('node', { payload, language: 'de' });
      const german = speechOf(await flow.out('done'));
      assert.deepEqual([german.model, german.style], ['main_speech_2', 'neutral']);
      flow.send('node', { payload, language: 'sv' });
      const swedish = speechOf(await flow.out('done'));
      assert.deepEqual([swedish.model, swedish.style], ['compact_api_3', 'neutral']);
    }));
});

describe('voice and language with a hosted service', () => {
  const anna = {
    voice_id: 'v-anna',
    name: 'Anna',
    age: 'elder',
    gender: 'female',
    use_case: 'narration',
    use_cases: [],
    language: ['de', 'fr'],
    styles: ['calm', 'happy'],
    models: ['acme_speech_2'],
  };
  const service: Script = ({ path, method }) => {
    if (path === '/v1/voices/search') return { body: { items: [anna], total: 1 } };
    if (path === '/v1/voices/v-anna') return { body: anna };
    if (path === '/v1/custom-voices/mine') return { body: { voice_id: 'mine', name: 'Mine' } };
    return method === 'POST' ? spoken() : refused(404);
  };
  const hosted = (account: object, work: Parameters<typeof withHostedFlow>[2], script: Script = service) =>
    withHostedFlow(script, [speechNode('text-to-speech')], work, { account, describesVoices: true });

  it('searches a voice of the language, and remembers it', () =>
    hosted({ voice_id: '', language: 'de' }, async (flow, { requests }) => {
      for (let round = 0; round < 3; round += 1) {
        flow.send('node', { payload });
        const { voice_id, language, style, model } = speechOf(await flow.out('done'));
        assert.deepEqual([voice_id, language, style, model], ['v-anna', 'de', 'calm', 'acme_speech_2']);
      }
      assert.equal(requests.filter(({ method }) => method === 'GET').length, 1);
    }));

  it('refuses a voice without the language before a paid request', () =>
    hosted({ voice_id: '' }, async (flow, { requests }) => {
      flow.send('node', { payload, voice_id: 'v-anna', language: 'ko' });
      const { message } = errorOf(await flow.out('fatal'));
      assert.equal(message, 'Anna speaks only German and French. Choose a voice that speaks Korean.');
      assert.ok(requests.every(({ method }) => method === 'GET'));
    }));

  it('lets a custom voice with unknown languages speak any language, with a model of that language', () =>
    hosted({ voice_id: 'mine' }, async (flow, { requests }) => {
      flow.send('node', { payload, voice_id: 'mine', language: 'de' });
      await flow.out('done');
      const { voice_id: _, ...sent } = { voice_id: '', ...requests.at(-1)?.json };
      assert.deepEqual(sent, { text: payload, language: 'de', model: 'acme_speech_2' });
    }));

  it('speaks if the service does not describe its voices', () =>
    hosted(
      { voice_id: 'any' },
      async (flow) => {
        flow.send('node', { payload });
        const { voice_id, language, model } = speechOf(await flow.out('done'));
        assert.deepEqual([voice_id, language, model], ['any', 'en', 'main_speech_1']);
      },
      ({ method }) => (method === 'POST' ? spoken() : refused(404)),
    ));

  for (const status of [429, 503]) {
    it(`speaks in the language of the voice after a lookup that failed with ${status}`, () => {
      const script: Script = (request, index) => (index === 0 ? refused(status) : service(request, index));
      return hosted(
        { voice_id: '' },
        async (flow) => {
          flow.send('node', { payload, voice_id: 'v-anna' });
          assert.equal(speechOf(await flow.out('done')).language, 'de');
        },
        script,
      );
    });
  }

  it('accepts an explicit voice and language although the defaults of the account are invalid', () =>
    hosted({ voice_id: '..', language: 'german' }, async (flow) => {
      flow.send('node', { payload, voice_id: 'v-anna', language: 'fr' });
      assert.equal(speechOf(await flow.out('done')).language, 'fr');
    }));
});
