import assert from 'node:assert/strict';
import { Stop } from '../../../client/base/abort.js';
import { createTransport } from '../../../client/http/transport.js';
import { transportDefaults } from '../../../client/http/transport-options.js';
import { connectFailure, transportFailure } from '../../../client/http/transport-failure.js';
import { KEY } from '../../support/service/client-for.js';
import { leavingNothing } from '../../support/leftovers.js';
import { rejection } from '../../support/rejection.js';
import { type Script, withServer } from '../../support/net/scripted-server.js';

const request = { method: 'GET', path: '/v1/credits', headers: {}, body: null } as const;

/** Performs one exchange with a service that replies according to `script`. */
function exchange(script: Script, options: Partial<typeof transportDefaults> = {}, key = 'the-key') {
  return withServer(script, ({ url }) =>
    leavingNothing(async () => {
      const transport = createTransport(url, key, { ...transportDefaults, ...options });
      try {
        return await transport.exchange(request, new Stop());
      } finally {
        await transport.close();
      }
    }),
  );
}

describe('exchange', () => {
  it('returns status, headers in lower case, trailers and the complete body', async () => {
    const headers = { 'content-type': 'text/plain', 'X-Seen': 'yes', trailer: 'X-End' };
    const reply = await exchange(() => ({ headers, trailers: { 'X-End': '7' }, body: Buffer.from('abc') }));
    assert.deepEqual([reply.status, reply.headers['x-seen'], reply.trailers['x-end']], [200, 'yes', '7']);
    assert.equal(reply.body.toString(), 'abc');
  });

  it('returns the body of a refusal with the key removed', async () => {
    const reply = await exchange(() => ({ status: 401, body: Buffer.from('no such key: the-key!') }));
    assert.deepEqual([reply.status, reply.body.toString()], [401, 'no such key: ***!']);
  });

  for (const key of ['the-key', KEY, 'äöü/+?>~~~~~~'.replace(/[^!-~]/g, 'x')]) {
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const spellings: Record<string, string> = {
      'as a query field': encodeURIComponent(key),
      'with all characters percent-encoded': Buffer.from(key).toString('hex').replace(/../g, '%$&'),
      'in base64': base64(key),
      'in base64 after a user name': base64(`u:${key}`),
      'in base64 between other words': base64(`me:${key}:end`),
      'in base64 for URLs': Buffer.from(key).toString('base64url'),
      'in base64 as JSON may escape it': base64(key).replaceAll('/', '\\/'),
      'in percent-encoded base64': encodeURIComponent(base64(`a:${key}`)),
    };
    for (const [form, spelling] of Object.entries(spellings)) {
      it(`removes the key ${key.slice(0, 7)} ${form} from a refusal`, async () => {
        const script: Script = () => ({ status: 401, body: Buffer.from(`no such key: ${spelling}`) });
        const { body } = await exchange(script, {}, key);
        assert.match(body.toString(), /^no such key: .{0,6}\*\*\*.{0,12}$/);
      });
    }
  }

  it('accepts a body of `maxReplyBytes` and rejects a larger one', async () => {
    const script: Script = () => ({ body: Buffer.alloc(1000) });
    assert.equal((await exchange(script, { maxReplyBytes: 1000 })).body.length, 1000);
    const error = await rejection(exchange(script, { maxReplyBytes: 999 }));
    assert.equal(error.code, 'bad-reply');
    assert.match(error.message, /larger than 999 bytes/);
  });

  it('sends nothing after its stop', () =>
    withServer(
      () => ({}),
      async ({ url, requests }) => {
        const transport = createTransport(url, 'the-key', transportDefaults);
        const stop = new Stop();
        stop.stop('the flow was stopped');
        assert.equal((await rejection(transport.exchange(request, stop))).code, 'aborted');
        await transport.close();
        assert.equal(requests.length, 0);
      },
    ));
});

/** Faults of a connection that a test cannot produce. */
const faults: [string, object, string][] = [
  ['a temporary DNS failure', { code: 'EAI_AGAIN' }, 'no-connection'],
  ['an unreachable host', { code: 'EHOSTUNREACH' }, 'no-connection'],
  ['an unreachable network', { code: 'ENETUNREACH' }, 'no-connection'],
  ['a timeout during reading', { code: 'ETIMEDOUT' }, 'no-reply'],
  ['a broken pipe', { code: 'EPIPE' }, 'no-reply'],
  ['a certificate for another name', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'insecure-connection'],
  ['an expired certificate', { code: 'CERT_HAS_EXPIRED' }, 'insecure-connection'],
  ['an unknown fault', { code: 'EODD' }, 'no-reply'],
];

describe('transportFailure', () => {
  for (const [what, details, code] of faults) {
    it(`maps ${what} to ${code}`, () => {
      const error = transportFailure(Object.assign(new Error('fault'), details));
      assert.equal(error.code, code);
      assert.match(error.message, new RegExp(`\\(${'code' in details ? String(details.code) : ''}\\)$`));
    });
  }

  it('has a variant for connects, which maps all faults except TLS faults to no-connection', () => {
    const codes = { ETIMEDOUT: 'no-connection', ECONNRESET: 'no-connection', EODD: 'no-connection' };
    for (const [code, expected] of Object.entries({ ...codes, CERT_HAS_EXPIRED: 'insecure-connection' })) {
      assert.equal(connectFailure(Object.assign(new Error('fault'), { code })).code, expected);
    }
  });

  it('reports the first of several failed addresses', () => {
    const errors = ['ECONNREFUSED', 'ENETUNREACH'].map((code) => Object.assign(new Error(code), { code }));
    const error = transportFailure(new AggregateError(errors));
    assert.deepEqual(
      [error.code, error.message],
      ['no-connection', 'connection refused: nothing listens at this address (ECONNREFUSED)'],
    );
  });

  it('keeps only the code and the first 200 characters of its cause', () => {
    const cause = Object.assign(new Error('b'.repeat(1000)), { code: 'EPIPE', data: 'the raw reply' });
    const { cause: kept } = transportFailure(cause);
    assert.deepEqual(Object.entries(kept ?? {}), [['code', 'EPIPE']]);
    assert.ok(kept instanceof Error && kept.message === 'b'.repeat(200));
  });
});
