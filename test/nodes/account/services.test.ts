import assert from 'node:assert/strict';
import path from 'node:path';
import { inspectAudio } from '@herald-speech/client';
import { services } from '../../../nodes/account/services.js';
import { type FlowNode, hostedAccount, KEY, speechNode, withFlow } from '../../support/node-red/flow.js';
import { audioOf, errorOf } from '../../support/node-red/messages.js';
import { shareLocalService } from '../../support/service/local-service.js';
import { startTestService, type TestService, toneFile } from '../../support/service/service.js';
import { describing, LONG_TEXT } from './spoken.js';
import { refused, spoken, withServer } from '../../support/net/scripted-server.js';

const typed = (text: string) => ({ text, textType: 'str' });
const account = (service: string, more: object): FlowNode => ({
  id: 'account',
  type: 'herald-account',
  service,
  fallback: 'none',
  language: 'en',
  attempts: '1',
  cache: false,
  ...more,
});

/** The name of a custom voice. */
const cloned = { voice_name: 'me', voice_nameType: 'str' };

/** The local service as other programs see it: with the routes of OpenAI, and the Wyoming port. */
describe('an account of any service', () => {
  shareLocalService();
  let service: TestService;
  let wyoming = '';

  before(async () => {
    service = await startTestService({ wyoming: { host: '127.0.0.1', port: 0, account: 'local' } });
    wyoming = service.wyomingUrl ?? '';
    // The speech process stays for all tests.
    const headers = { authorization: `Bearer ${service.key}` };
    await service.send(
      'POST',
      '/v1/audio/speech',
      { model: 'tts-1', input: 'Hello.', voice: 'alloy' },
      headers,
    );
  });
  after(() => service.close());

  const openai = (more: object = {}) => account('openai', { url: `${service.url}/v1`, ...more });
  const credentials = () => ({ account: { apiKey: service.key }, other: { apiKey: KEY } });
  const wyomingAccount = (more: object = {}) => account('wyoming', { address: wyoming, ...more });

  const accounts = { openai, wyoming: wyomingAccount };

  for (const [name, accountWith] of Object.entries(accounts)) {
    /** Sends a message to a node, and returns the message at an output. */
    const sent = (node: object, port: string, message: object = {}, more: object = {}) =>
      withFlow(
        [accountWith(more), speechNode('text-to-speech', node)],
        async (flow) => {
          flow.send('node', message);
          return flow.out(port);
        },
        { credentials: credentials() },
      );

    describe(`of the kind ${name}`, () => {
      it('speaks', async () => {
        const audio = audioOf(await sent(typed('Good morning.'), 'done'));
        assert.equal(inspectAudio(audio).format, 'wav');
        assert.ok(inspectAudio(audio).duration > 0.3);
      });

      it('speaks MP3, which Herald encodes if the service does not', async () => {
        const audio = audioOf(await sent({ ...typed('Good morning.'), output_format: 'mp3' }, 'done'));
        assert.equal(inspectAudio(audio).format, 'mp3');
      });

      it('speaks WAV of another rate', async () => {
        const audio = audioOf(await sent({ ...typed('Good morning.'), output_format: 'wav-8000' }, 'done'));
        assert.equal(inspectAudio(audio).sampleRate, 8000);
      });

      it('finds voices', () =>
        withFlow(
          [accountWith(), speechNode('voice-search')],
          async (flow) => {
            flow.send('node', { payload: '' });
            const { payload } = await flow.out('done');
            assert.ok(Array.isArray(payload) && payload.length > 0);
          },
          { credentials: credentials() },
        ));

      it('predicts a duration', () =>
        withFlow(
          [accountWith(), speechNode('predict-duration', typed('Good morning.'))],
          async (flow) => {
            flow.send('node', {});
            const { payload } = await flow.out('done');
            assert.ok(typeof payload === 'number' && payload > 0.3 && payload < 3);
          },
          { credentials: credentials() },
        ));

      for (const [type, rule, message] of [
        ['clone-voice', /this service has no custom voices/, { payload: toneFile(120, 6) }],
        ['custom-voices', /this service has no custom voices/, {}],
        ['credits', /this service counts no credits/, {}],
        ['usage', /this service reports no usage/, {}],
      ] as const)
        it(`fails on "fatal" in the node ${type}, and names the reason`, () =>
          withFlow(
            [accountWith(), speechNode(type, cloned)],
            async (flow) => {
              flow.send('node', message);
              const error = errorOf(await flow.out('fatal'));
              assert.equal(error.code, 'not-supported');
              assert.match(error.message, rule);
            },
            { credentials: credentials() },
          ));

      it('names the lack of custom voices before a missing name of a voice', () =>
        withFlow(
          [accountWith(), speechNode('clone-voice')],
          async (flow) => {
            flow.send('node', { payload: 'no sample' });
            assert.equal(errorOf(await flow.out('fatal')).code, 'not-supported');
          },
          { credentials: credentials() },
        ));

      it('fails on "fatal" for a voice setting that the service lacks', async () => {
        const settings = { voice_settings: '{"similarity": 2}', voice_settingsType: 'json' };
        const error = errorOf(await sent({ ...typed('Hello.'), ...settings }, 'fatal'));
        assert.equal(error.code, 'not-supported');
        assert.match(error.message, /similarity/);
      });

      it('continues the text of a hosted account in the middle', () =>
        withServer(
          describing([{ voice_id: 'voice-1', language: ['en'], gender: 'female' }], (_request, index) =>
            index < 2 ? spoken() : refused(500),
          ),
          (server) =>
            withFlow(
              [
                hostedAccount(server.url, {
                  id: 'other',
                  attempts: '1',
                  fallback: 'account:account',
                  cache: false,
                  concurrency: '1',
                }),
                accountWith(),
                speechNode('text-to-speech', { account: 'other', ...typed(LONG_TEXT), language: 'en' }),
              ],
              async (flow) => {
                flow.send('node', {});
                const message = await flow.out('done');
                assert.ok(inspectAudio(audioOf(message)).duration > 1);
                assert.match(JSON.stringify(message), /"fallback"/);
              },
              { credentials: credentials() },
            ),
        ));
    });
  }

  it('names the field in the dialog if the address is wrong', () =>
    withFlow(
      [account('wyoming', { address: 'http://x/y' }), speechNode('text-to-speech', typed('Hello.'))],
      async (flow) => {
        flow.send('node', {});
        const error = errorOf(await flow.out('fatal'));
        assert.equal(error.code, 'not-configured');
        assert.match(error.message, /^address: expected a host/);
      },
    ));

  it('names the field in the dialog if the longest text is wrong', () =>
    withFlow(
      [openai({ maxTextLength: '0' }), speechNode('text-to-speech', typed('Hello.'))],
      async (flow) => {
        flow.send('node', {});
        const error = errorOf(await flow.out('fatal'));
        assert.equal(error.code, 'not-configured');
        assert.match(error.message, /maxTextLength|Longest text/);
      },
      { credentials: credentials() },
    ));
});

describe('the table of services', () => {
  it('has a label in each language for each service', () => {
    for (const language of ['en-US', 'de', 'es', 'ja', 'ko']) {
      const words = require(path.resolve(`dist/nodes/locales/${language}/account.json`));
      for (const name of Object.keys(services)) assert.ok(words.service[name], `${language} ${name}`);
    }
  });
});
