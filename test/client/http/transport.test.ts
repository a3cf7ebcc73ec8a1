import assert from 'node:assert/strict';
import { createTransport } from '../../../client/http/transport.js';
import { transportDefaults } from '../../../client/http/transport-options.js';
import { connectFailure, transportFailure } from '../../../client/http/transport-failure.js';
import { leavingNothing } from '../../support/leftovers.js';
import { rejection } from '../../support/rejection.js';
import { type Script, withServer } from '../../support/scripted-server.js';

const request = { method: 'GET', path: '/v1/credits', headers: {}, body: null } as const;

/** One exchange with a service that answers as `script` says. */
function exchange(script: Script, options: Partial<typeof transportDefaults> = {}) {
  const { signal } = new AbortController();
  return withServer(script, ({ url }) =>
    leavingNothing(async () => {
      const transport = createTransport(url, 'the-key', { ...transportDefaults, ...options });
      try {
        return await transport.exchange(request, signal);
      } finally {
        await transport.close();
      }
    }),
  );
}

describe('one exchange', () => {
  it('gives status, headers in lower case, trailers and the whole body', async () => {
    const headers = { 'content-type': 'text/plain', 'X-Seen': 'yes', trailer: 'X-End' };
    const reply = await exchange(() => ({ headers, trailers: { 'X-End': '7' }, body: Buffer.from('abc') }));
    assert.deepEqual([reply.status, reply.headers['x-seen'], reply.trailers['x-end']], [200, 'yes', '7']);
    assert.equal(reply.body.toString(), 'abc');
  });

  it('gives a refusal as it came, without the key', async () => {
    const reply = await exchange(() => ({ status: 401, body: Buffer.from('no such key: the-key!') }));
    assert.deepEqual([reply.status, reply.body.toString()], [401, 'no such key: ***!']);
  });

  it('takes a reply of as many bytes as allowed, and none that is larger', async () => {
    const script: Script = () => ({ body: Buffer.alloc(1000) });
    assert.equal((await exchange(script, { maxReplyBytes: 1000 })).body.length, 1000);
    const error = await rejection(exchange(script, { maxReplyBytes: 999 }));
    assert.equal(error.code, 'bad-reply');
    assert.match(error.message, /larger than 999 bytes/);
  });

  it('does not start under a signal that has fired', () =>
    withServer(
      () => ({}),
      async ({ url, requests }) => {
        const transport = createTransport(url, 'the-key', transportDefaults);
        assert.equal((await rejection(transport.exchange(request, AbortSignal.abort()))).code, 'aborted');
        await transport.close();
        assert.equal(requests.length, 0);
      },
    ));
});

/** Faults of a connection that a test can't bring about by itself. */
const faults: [string, object, string][] = [
  ['a name that can not be looked up just now', { code: 'EAI_AGAIN' }, 'no-connection'],
  ['a host out of reach', { code: 'EHOSTUNREACH' }, 'no-connection'],
  ['a network that is down', { code: 'ENETUNREACH' }, 'no-connection'],
  ['a connection that died while it was read', { code: 'ETIMEDOUT' }, 'no-reply'],
  ['a pipe that broke', { code: 'EPIPE' }, 'no-reply'],
  ['a certificate of another name', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'insecure-connection'],
  ['a certificate that is over', { code: 'CERT_HAS_EXPIRED' }, 'insecure-connection'],
  ['something never seen before', { code: 'EODD' }, 'no-reply'],
];

describe('a fault of the connection', () => {
  for (const [what, details, code] of faults) {
    it(`such as ${what} is ${code}`, () => {
      const error = transportFailure(Object.assign(new Error('fault'), details));
      assert.equal(error.code, code);
      assert.match(error.message, new RegExp(`\\(${'code' in details ? String(details.code) : ''}\\)$`));
    });
  }

  it('is no-connection while the connection is made, whatever it is, unless it is not secure', () => {
    const codes = { ETIMEDOUT: 'no-connection', ECONNRESET: 'no-connection', EODD: 'no-connection' };
    for (const [code, expected] of Object.entries({ ...codes, CERT_HAS_EXPIRED: 'insecure-connection' })) {
      assert.equal(connectFailure(Object.assign(new Error('fault'), { code })).code, expected);
    }
  });

  it('at every address of a name is told by the first', () => {
    const errors = ['ECONNREFUSED', 'ENETUNREACH'].map((code) => Object.assign(new Error(code), { code }));
    const error = transportFailure(new AggregateError(errors));
    assert.deepEqual(
      [error.code, error.message],
      ['no-connection', 'connection refused: nothing listens at this address (ECONNREFUSED)'],
    );
  });

  it('keeps the first words of its cause, and nothing else of it', () => {
    const cause = Object.assign(new Error('b'.repeat(1000)), { code: 'EPIPE', data: 'the raw reply' });
    const { cause: kept } = transportFailure(cause);
    assert.deepEqual(Object.entries(kept ?? {}), [['code', 'EPIPE']]);
    assert.ok(kept instanceof Error && kept.message === 'b'.repeat(200));
  });
});
