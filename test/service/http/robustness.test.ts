import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { leavingNothing } from '../../support/leftovers.js';
import { exchange as exchangeRaw, repliesOf } from '../../support/net/raw-http.js';
import { startTestService, type TestService } from '../../support/service/service.js';
import { INTERNAL } from './internal-details.js';

const SPEECH = '/v1/text-to-speech/slt';
const hello = JSON.stringify({ text: 'Hello.', language: 'en' });

/** The service must reply to any bytes without a crash and without internal details. */
describe('the service with unusual requests', function () {
  let service: TestService;
  /** Gives a request less than a second to arrive. */
  let hasty: TestService;
  before(async () => {
    const timeouts = { headers: 400, request: 700, idle: 3000 };
    [service, hasty] = await Promise.all([startTestService(), startTestService({ timeouts })]);
  });
  after(async () => Promise.all([service.close(), hasty.close()]));
  afterEach('generates speech as before', async () => {
    const reply = await service.send('POST', SPEECH, { text: 'Still here.', language: 'en' });
    assert.equal(reply.status, 200);
  });

  const port = () => Number(new URL(service.url).port);

  async function exchange(...pieces: Array<string | Buffer>): Promise<string> {
    const answer = await exchangeRaw(service.url, ...pieces);
    assert.doesNotMatch(answer, INTERNAL);
    return answer;
  }
  const head = (start: string, headers: Record<string, string | number> = {}) => {
    const all = {
      host: `127.0.0.1:${port()}`,
      connection: 'close',
      'x-sup-api-key': service.key,
      ...headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${start} HTTP/1.1\r\n${lines.join('')}\r\n`;
  };
  const json = (length: number) => ({ 'content-type': 'application/json', 'content-length': length });
  const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
  const get = async (target: string, headers?: Record<string, string>) =>
    statusOf(await exchange(head(`GET ${target}`, headers)));

  it('replies 400 to invalid JSON', async () => {
    for (const body of ['{', '{"text":"\\ud800', '['.repeat(60_000), '\u0000', '{"__proto__":1', '"'])
      assert.equal(
        statusOf(await exchange(head(`POST ${SPEECH}`, json(Buffer.byteLength(body))), body)),
        400,
      );
  });

  it('replies 400 to JSON with fields of wrong types', async () => {
    for (const body of ['{"text":{},"language":[]}', '{"text":1e999,"language":"en"}', '{"__proto__":{}}'])
      assert.equal(statusOf(await exchange(head(`POST ${SPEECH}`, json(body.length)), body)), 400);
  });

  it('replies 400 to an unknown content type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'x', '', 'application/json/x']) {
      const headers = { ...json(hello.length), 'content-type': type };
      assert.equal(statusOf(await exchange(head(`POST ${SPEECH}`, headers), hello)), 400, type);
    }
  });

  it('replies 404 to a wrong method and 400 to an unknown method', async () => {
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])
      assert.equal(statusOf(await exchange(head(`${method} /v1/voices`))), 404, method);
    assert.equal(statusOf(await exchange(head('SPEAK /v1/voices'))), 400);
    assert.equal(statusOf(await exchange(head('CONNECT /v1/voices'))), 404);
  });

  it('replies 431 to a request head over 16 KB', async () => {
    assert.equal(await get('/v1/voices', { 'x-long': 'x'.repeat(20_000) }), 431);
    const many = Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`x-${index}`, 'xxxxxx']));
    assert.equal(await get('/v1/voices', many), 431);
    assert.equal(await get(`/v1/voices/${'x'.repeat(20_000)}`), 431);
  });

  it('resolves dot segments in a path, and replies 404 to encoded ones', async () => {
    const targets = [
      '/v1/voices/%2e%2e%2f%2e%2e%2fkey',
      '/v1/voices/%00',
      '/v1/voices/%',
      '/v1/voices/%ff%fe',
    ];
    for (const target of [...targets, `/v1/custom-voices/${'a'.repeat(10_000)}`, '/v1/custom-voices/a%00b'])
      assert.equal(await get(target), 404, target);
    for (const target of [
      '/v1/../key',
      '/samples/../../key',
      '/samples/%2e%2e/%2e%2e/key',
      '/console/page/..%2f..%2fkey',
    ])
      assert.equal(await get(target), 404, target);
    assert.equal(await get('/samples/../v1/credits', { 'x-sup-api-key': 'none' }), 401);
  });

  it('replies 400 to an invalid target or Host header', async () => {
    for (const target of ['http://', '*', 'voices', '/v1\\voices'])
      assert.equal(await get(target), 400, target);
    for (const host of ['a b', '[', 'x:99999', '1.2.3.4.5', 'xn--']) {
      for (const path of ['/healthz', '/openapi.json', '/v1/voices/rms', '/console'])
        assert.equal(await get(path, { host }), 400, `${host} ${path}`);
    }
  });

  it('replies 400 to the identifier of a key with a NUL character', async () => {
    assert.equal(statusOf(await exchange(head('DELETE /console/api/keys/%00'))), 400);
  });

  it('replies 400 to bytes that are not HTTP', async () => {
    for (const bytes of ['\x16\x03\x01\x02\x00\x01', 'hello\r\n\r\n', 'GET /healthz HTTP/9.9\r\n\r\n'])
      assert.equal(statusOf(await exchange(bytes)), 400);
  });

  it('replies 400 to 10 MB of JSON', async () => {
    const long = Buffer.alloc(10_000_000, 'x');
    assert.equal(statusOf(await exchange(head(`POST ${SPEECH}`, json(long.length)), long)), 400);
    const chunked = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const start = `${long.length.toString(16)}\r\n`;
    assert.equal(statusOf(await exchange(head(`POST ${SPEECH}`, chunked), start, long)), 400);
  });

  it('replies 408 or closes the connection if the body is shorter than its length', async () => {
    const request = head(`POST ${SPEECH}`, { ...json(hello.length + 10), 'x-sup-api-key': hasty.key });
    const short = await exchangeRaw(hasty.url, request, hello);
    assert.ok(short === '' || statusOf(short) === 408, short);
  });

  it('replies 400 and closes the connection if the body is longer than its length', async () => {
    const keep = { ...json(hello.length), connection: 'keep-alive' };
    const replies = repliesOf(await exchange(head(`POST ${SPEECH}`, keep), `${hello}garbage\r\n\r\n`));
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 400],
    );
  });

  it('replies 400 to two lengths, and to a length with chunks', async () => {
    const two = { ...json(5), 'Content-Length': 6 };
    assert.equal(statusOf(await exchange(head(`POST ${SPEECH}`, two), hello)), 400);
    const both = { ...json(5), 'transfer-encoding': 'chunked' };
    assert.equal(statusOf(await exchange(head(`POST ${SPEECH}`, both), '0\r\n\r\n')), 400);
  });

  it('closes a connection that sends its headers byte by byte', async () => {
    const socket = net.connect(Number(new URL(hasty.url).port), '127.0.0.1').on('error', () => undefined);
    const closed = once(socket.resume(), 'close');
    const drip = setInterval(() => socket.write('x'), 50);
    socket.write('GET /healthz HTTP/1.1\r\nx-slow: ');
    await closed;
    clearInterval(drip);
  });

  it('replies to pipelined requests in their order', async () => {
    const keep = { connection: 'keep-alive' };
    const answer = await exchange(
      head('GET /healthz', keep) + head('GET /v1/nothing', keep) + head('GET /v1/credits'),
    );
    assert.deepEqual(
      [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
      ['200', '404', '200'],
    );
  });

  it('replies 401 to malformed keys', async () => {
    for (const key of ['', 'x'.repeat(8000), '\xff\xfe', `${service.key},${service.key}`, "' OR 1=1 --"])
      assert.equal(await get('/v1/credits', { 'x-sup-api-key': key }), 401, JSON.stringify(key));
  });

  for (const [what, bytes] of [
    ['half of a request', hello.length / 2],
    ['a whole request', hello.length],
  ] as const) {
    it(`keeps no socket, timer or job of callers who leave after ${what}`, async () => {
      await leavingNothing(async () => {
        for (let index = 0; index < 50; index++) {
          const target = index % 2 ? `${SPEECH}/stream` : SPEECH;
          await leaveAfter(head(`POST ${target}`, json(hello.length)) + hello.slice(0, bytes));
        }
      });
    });
  }

  /** Sends a request behind another one, and resets the connection as soon as the service has replied to the first. */
  async function leaveAfter(request: string): Promise<void> {
    const socket = net.connect(port(), '127.0.0.1').on('error', () => undefined);
    const replied = once(socket, 'data');
    socket.write(head('GET /healthz', { connection: 'keep-alive' }) + request);
    await replied;
    socket.resetAndDestroy();
  }
});
