import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import type { FlowNode } from '../../support/node-red.js';
import { useNodeRed } from '../../support/shared-node-red.js';
import { selfSigned, withProxy, withSecureServer } from '../../support/proxy.js';
import { type Script, spoken, withServer } from '../../support/scripted-server.js';
import { ask, failureOf, requests, voiceOf } from './asking.js';

/** Names that no DNS has: who asks for them goes through a proxy. */
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

/** A service that keeps the sample of its voice at that address. */
const keeping =
  (url: string): Script =>
  ({ path }) => {
    const sample = { language: 'en', style: 'neutral', model: 'main_speech_1', url };
    if (path.startsWith('/v1/voices/')) return { body: voiceOf('anna', { samples: [sample] }) };
    return path === '/anna.wav' ? spoken({ seconds: 0.2 }) : { status: 404 };
  };

const sound = z.object({ audio: z.base64(), mime: z.literal('audio/wav') });

describe('the sample of a voice', () => {
  const nodeRed = useNodeRed();

  const bring = () => ask(nodeRed().url, 'sample', { account: 'account', ...requests['sample'] });

  it('comes through the proxy of its account, from another host too', () =>
    withServer(keeping(`${FILES}/anna.wav`), ({ port, requests: seen }) =>
      withProxy({ to: port, credentials: 'me:secret' }, async ({ url, asked }) => {
        const proxy = { id: 'proxy', type: 'http proxy', name: '', url, noproxy: [] };
        const credentials = { username: 'me', password: 'secret' };
        await nodeRed().deploy([account(SERVICE, { proxy: 'proxy' }), { ...proxy, credentials }]);
        sound.parse((await bring()).json);
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

  it('comes from hosts whose certificate only the TLS configuration of its account trusts', () =>
    withSecureServer(keeping(''), ({ url: files }) =>
      withSecureServer(keeping(`${files}/anna.wav`), async ({ url }) => {
        const tls = { id: 'tls', type: 'tls-config', name: '', cert: '', key: '', ca: '' };
        const trusting = { ...tls, verifyservercert: true, credentials: { cadata: selfSigned } };
        await nodeRed().deploy([account(url, { tls: 'tls' }), trusting]);
        sound.parse((await bring()).json);
      }),
    ));

  it('is not brought from a host that nobody trusts', () =>
    withSecureServer(keeping(''), ({ url: files, requests: seen }) =>
      withServer(keeping(`${files}/anna.wav`), async ({ url }) => {
        await nodeRed().deploy([account(url)]);
        const { code, message } = failureOf(await bring());
        assert.equal(code, 'insecure-connection');
        assert.match(message, /^cannot play the sample: .*certificate/);
        assert.equal(seen.length, 0);
      }),
    ));
});
