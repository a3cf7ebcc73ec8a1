import assert from 'node:assert/strict';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from '@herald-speech/client';
import { administer } from '../../../service/accounts/administer.js';
import { startTestService, type TestService } from '../../support/service/service.js';

interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** Requests that need an API key or a session. */
const guarded: Array<[string, string]> = [
  ['GET', '/v1/credits'],
  ['GET', '/console/api/keys'],
  ['POST', '/console/api/keys'],
  ['DELETE', '/console/api/keys/key-1'],
];

/** Returns the one-time token of a link. */
function tokenOf(address: string): string {
  return new URL(address).hash.replace('#token=', '');
}

describe('the access control of the console', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  /** Sends a request with any headers, including headers that `fetch` does not allow. */
  const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const request = http.request(service.url + path, { method, headers, agent: false }, (reply) => {
        const { statusCode: status = 0, headers } = reply;
        text(reply).then((body) => resolve({ status, headers, body }), reject);
      });
      request.on('error', reject).end();
    });
  const newToken = () => tokenOf(service.consoleLink());
  const ownPage = (token = newToken()) => ({
    origin: service.url,
    'sec-fetch-site': 'same-origin',
    'x-herald-token': token,
  });
  const openSession = async () => {
    const { body } = await ask('POST', '/console/session', ownPage());
    return z.object({ token: z.string().min(32) }).parse(JSON.parse(body)).token;
  };

  describe('the page', () => {
    it('needs no key and contains no secret', async () => {
      const { status, headers, body } = await ask('GET', '/console', { host: 'elsewhere.example' });
      assert.equal(status, 200);
      assert.match(headers['content-type'] ?? '', /^text\/html/);
      assert.equal(body.includes(service.key), false);
    });

    it('forbids foreign files, frames and referrers in its headers', async () => {
      for (const path of [
        '/console',
        '/console/page/main.js',
        '/console/page/style/base.css',
        '/console/limits',
      ]) {
        const { status, headers } = await ask('GET', path);
        const policy = String(headers['content-security-policy']).split('; ');
        assert.equal(status, 200, path);
        for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]) {
          assert.ok(policy.includes(rule), `${path}: ${rule}`);
        }
        assert.doesNotMatch(policy.join(), /unsafe|\*/);
        assert.equal(headers['x-content-type-options'], 'nosniff');
        assert.equal(headers['referrer-policy'], 'no-referrer');
      }
    });

    it('has no inline script or style', async () => {
      const { body } = await ask('GET', '/console');
      assert.doesNotMatch(body, /<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:/);
    });

    it('does not serve files outside its folder', async () => {
      const names = [
        '..%2froutes.js',
        'style%2f..%2f..%2froutes.js',
        'style/../../routes.js',
        '%2e%2e%2froutes.js',
        '..%5croutes.js',
        'main.js.map',
        'tsconfig.json',
        '%00.js',
      ];
      for (const name of names) {
        assert.equal((await ask('GET', `/console/page/${name}`)).status, 404, name);
      }
    });
  });

  describe('a session', () => {
    it('gives access to the interface and the keys', async () => {
      const headers = { 'x-herald-session': await openSession() };
      assert.equal((await ask('GET', '/v1/credits', headers)).status, 200);
      assert.equal((await ask('GET', '/console/api/keys', headers)).status, 200);
    });

    const refused: Array<[string, Record<string, string | undefined>]> = [
      ['a foreign host', { host: 'evil.example', origin: 'http://evil.example' }],
      ['a page of another origin', { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' }],
      [
        'a page of another port on the same computer',
        { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
      ],
      ['a program without the token of a link', { 'x-herald-token': undefined }],
      ['a program with a wrong token', { 'x-herald-token': 'A'.repeat(43) }],
      ['a request without an origin', { origin: undefined }],
      ['a proxy', { 'x-forwarded-for': '203.0.113.9' }],
    ];
    for (const [who, changes] of refused) {
      it(`is refused to ${who}`, async () => {
        const headers = Object.entries({ ...ownPage(), ...changes }).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value]],
        );
        const { status, body } = await ask('POST', '/console/session', Object.fromEntries(headers));
        assert.equal(status, 403);
        assert.doesNotMatch(body, /token/);
      });
    }

    it('is opened once by each link', async () => {
      const headers = ownPage();
      assert.equal((await ask('POST', '/console/session', headers)).status, 200);
      const { status, body } = await ask('POST', '/console/session', headers);
      assert.equal(status, 403);
      assert.match(body, /herald-service console/);
    });

    it('cannot revoke the key in the data folder, which other programs of the owner need', async () => {
      const headers = { 'x-herald-session': await openSession() };
      const { status, body } = await ask('DELETE', '/console/api/keys/key-file', headers);
      assert.equal(status, 403);
      assert.match(body, /delete the file/);
      assert.equal((await service.send('GET', '/v1/credits')).status, 200);
    });

    it('gives no access with a foreign host name, as in DNS rebinding', async () => {
      const headers = { 'x-herald-session': await openSession(), host: 'evil.example' };
      for (const [method, path] of guarded)
        assert.equal((await ask(method, path, headers)).status, 401, path);
    });

    it('is not cached', async () => {
      const { headers } = await ask('POST', '/console/session', ownPage());
      assert.equal(headers['cache-control'], 'no-store');
    });
  });

  describe('a link to the console', () => {
    const link = z.object({ url: z.url() });

    it('is created for the key in the data folder', async () => {
      const { status, body } = await ask('POST', '/console/api/links', { 'x-sup-api-key': service.key });
      assert.equal(status, 201);
      const { url } = link.parse(JSON.parse(body));
      assert.ok(url.startsWith(`${service.url}/console#`), url);
      assert.equal((await ask('POST', '/console/session', ownPage(tokenOf(url)))).status, 200);
    });

    it('has the address of the service, even if the request names another host', async () => {
      const headers = { 'x-sup-api-key': service.key, host: 'evil.example' };
      const { body } = await ask('POST', '/console/api/links', headers);
      const { url } = link.parse(JSON.parse(body));
      assert.ok(url.startsWith(`${service.url}/console#`), url);
    });

    it('is refused to programs without a key, and to sessions', async () => {
      for (const headers of [{}, { 'x-sup-api-key': 'x' }, { 'x-herald-session': await openSession() }]) {
        assert.equal((await ask('POST', '/console/api/links', headers)).status, 401);
      }
    });

    it('is refused to the key of another account', async () => {
      const { result } = z
        .object({ result: z.object({ key: z.object({ key: z.string() }) }) })
        .parse(await administer(service.data, { command: 'accounts create', name: 'radio' }));
      const headers = { 'x-sup-api-key': result.key.key };
      assert.equal((await ask('POST', '/console/api/links', headers)).status, 403);
    });
  });

  it('refuses requests without a valid session or key', async () => {
    const strangers = [
      {},
      { 'x-herald-session': 'x' },
      { 'x-sup-api-key': 'x' },
      { cookie: 'x-herald-session=x' },
    ];
    for (const headers of strangers) {
      for (const [method, path] of guarded)
        assert.equal((await ask(method, path, headers)).status, 401, path);
    }
  });

  it('accepts a key with any host name', async () => {
    const headers = { 'x-sup-api-key': service.key, host: 'elsewhere.example' };
    const { status, body } = await ask('GET', '/console/api/keys', headers);
    assert.equal(status, 200);
    assert.equal(body.includes(service.key), false);
  });

  it('cuts a long identifier of a key in its message', async () => {
    const headers = { 'x-sup-api-key': service.key };
    for (const end of ['', '%00']) {
      const { status, body } = await ask('DELETE', `/console/api/keys/${'x'.repeat(5000)}${end}`, headers);
      assert.equal(status, end ? 400 : 404);
      assert.ok(body.length < 300, `${body.length} characters`);
    }
  });

  it('sends no CORS headers', async () => {
    const origin = 'http://evil.example';
    const asking = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-herald-token',
    };
    for (const path of ['/console', '/console/session', '/console/api/keys', '/v1/credits']) {
      for (const method of ['OPTIONS', 'GET', 'POST']) {
        const { headers } = await ask(method, path, asking);
        const allowing = Object.keys(headers).filter((name) => name.startsWith('access-control-'));
        assert.deepEqual(allowing, [], `${method} ${path}`);
      }
    }
  });
});
