import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import type { FlowNode } from '../../../support/node-red/node-red.js';
import { useNodeRed } from '../../../support/node-red/shared-node-red.js';
import { selfSigned, withProxy, withSecureServer } from '../../../support/net/proxy.js';
import { type Script, spoken, withServer } from '../../../support/net/scripted-server.js';
import { ask, failureOf, requests, voiceOf } from '../asking.js';

/** Host names that DNS cannot resolve, so that only a request through a proxy succeeds. */
const SERVICE = 'http://speech.example.test';
const FILES = 'http://files.example.test';
const account = (url: string, more: object = {}): FlowNode => ({
  id: 'account',
  type: 'herald-account',
  service: 'hosted',
  url,
  requestsPerMinute: '10000',
  credentials: { apiKey: 'sk-Nobody/may+see=this' },
  ...more,
});

/** A service whose voice has its sample at this URL. */
const serviceWithSample =
  (url: string): Script =>
  ({ path }) => {
    const sample = { language: 'en', style: 'neutral', model: 'main_speech_1', url };
    if (path.startsWith('/v1/voices/')) return { body: voiceOf('anna', { samples: [sample] }) };
    return path === '/anna.wav' ? spoken({ seconds: 0.2 }) : { status: 404 };
  };

const sound = z.object({ audio: z.base64(), mime: z.literal('audio/wav') });

describe('the sample endpoint', () => {
  const nodeRed = useNodeRed();

  const askSample = () => ask(nodeRed().url, 'sample', { account: 'account', ...requests['sample'] });

  it('fetches the sample through the proxy of the account, without the key', () =>
    withServer(serviceWithSample(`${FILES}/anna.wav`), ({ port, requests: seen }) =>
      withProxy({ to: port, credentials: 'me:secret' }, async ({ url, asked }) => {
        const proxy = { id: 'proxy', type: 'http proxy', name: '', url, noproxy: [] };
        const credentials = { username: 'me', password: 'secret' };
        await nodeRed().deploy([account(SERVICE, { proxy: 'proxy' }), { ...proxy, credentials }]);
        sound.parse((await askSample()).json);
        assert.deepEqual(asked, ['speech.example.test:80', 'files.example.test:80']);
        assert.deepEqual(
          seen.map(({ path, headers }) => [path, 'x-sup-api-key' in headers]),
          [
            ['/v1/voices/anna', true],
            ['/anna.wav', false],
          ],
        );
      }),
    ));

  it('fetches the sample from a host that only the TLS configuration of the account trusts', () =>
    withSecureServer(serviceWithSample(''), ({ url: files }) =>
      withSecureServer(serviceWithSample(`${files}/anna.wav`), async ({ url }) => {
        const tls = { id: 'tls', type: 'tls-config', name: '', cert: '', key: '', ca: '' };
        const trusting = { ...tls, verifyservercert: true, credentials: { cadata: selfSigned } };
        await nodeRed().deploy([account(url, { tls: 'tls' }), trusting]);
        sound.parse((await askSample()).json);
      }),
    ));

  it('fetches no sample from a host with an untrusted certificate', () =>
    withSecureServer(serviceWithSample(''), ({ url: files, requests: seen }) =>
      withServer(serviceWithSample(`${files}/anna.wav`), async ({ url }) => {
        await nodeRed().deploy([account(url)]);
        const { code, message } = failureOf(await askSample());
        assert.equal(code, 'insecure-connection');
        assert.match(message, /^cannot play the sample: .*certificate/);
        assert.equal(seen.length, 0);
      }),
    ));
});
