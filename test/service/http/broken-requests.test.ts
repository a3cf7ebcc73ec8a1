import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import * as fc from 'fast-check';
import { z } from 'zod';
import { leavingNothing } from '../../support/leftovers.js';
import { exchange, type RawReply, repliesOf } from '../../support/net/raw-http.js';
import { startTestService, type TestService } from '../../support/service/service.js';

const SPEECH = '/v1/text-to-speech/slt';
const hello = JSON.stringify({ text: 'Hello.', language: 'en' });
const long = JSON.stringify({ text: 'The kettle is on. '.repeat(16).trim(), language: 'en' });

/** docs/interface.md#error-body */
const plain = z.strictObject({ status: z.literal('error'), message: z.string().min(1) });
const named = z.strictObject({
  status: z.literal('error'),
  message: z.strictObject({
    message: z.string().min(1),
    error: z.string().min(1),
    statusCode: z.int(),
    status_code: z.int(),
  }),
});

/** Requests that the server's parser rejects, so that the app does not see them. */
describe('a broken request', function () {
  let service: TestService;
  /** Gives a request less than a second to arrive. */
  let hasty: TestService;
  before(async () => {
    const timeouts = { headers: 400, request: 700, idle: 3000 };
    [service, hasty] = await Promise.all([startTestService(), startTestService({ timeouts })]);
  });
  after(async () => Promise.all([service.close(), hasty.close()]));
  afterEach('the service still replies', async () => assertWell());

  async function assertWell(): Promise<void> {
    const reply = await fetch(`${service.url}/healthz`);
    assert.deepEqual(await reply.json(), { status: 'ok' });
  }
  const head = (start: string, headers: Record<string, string | number> = {}) => {
    const all = { host: new URL(service.url).host, 'x-sup-api-key': service.key, ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${start} HTTP/1.1\r\n${lines.join('')}\r\n`;
  };
  const post = (body: string) =>
    head(`POST ${SPEECH}`, { 'content-type': 'application/json', 'content-length': body.length }) + body;
  const chunked = (target = SPEECH) =>
    head(`POST ${target}`, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' });
  const send = async (...pieces: string[]) => repliesOf(await exchange(service.url, ...pieces));
  const ofHasty = (request: string) => request.replaceAll(service.key, hasty.key);
  const sendToHasty = async (...pieces: string[]) => repliesOf(await exchange(hasty.url, ...pieces));

  function assertRefusal(reply: RawReply | undefined, status: number): void {
    assert.equal(reply?.status, status, JSON.stringify(reply));
    assert.equal(reply.headers.get('content-type'), 'application/json');
    assert.equal(reply.headers.get('connection'), 'close');
    assert.ok(reply.headers.has('date'));
    (status === 400 ? plain : named).parse(JSON.parse(reply.body));
  }

  it('gets a 400 with an error body of the interface', async () => {
    const broken = ['\x16\x03\x01\x02\x00\x01', 'hello\r\n\r\n', 'GET /healthz HTTP/9.9\r\n\r\n', '\r\n\0'];
    for (const bytes of [...broken, head('SPEAK /v1/voices'), 'GET /healthz HTTP/1.1\r\nnocolon\r\n\r\n']) {
      const replies = await send(bytes);
      assert.equal(replies.length, 1);
      assertRefusal(replies[0], 400);
    }
  });

  it('gets a 431 if its head is over 16 KB', async () => {
    assertRefusal((await send(head('GET /v1/voices', { 'x-long': 'x'.repeat(20_000) })))[0], 431);
    assertRefusal((await send(head(`GET /${'x'.repeat(20_000)}`)))[0], 431);
  });

  it('gets a 408 if its head takes too long', async () => {
    assertRefusal((await sendToHasty('GET /healthz HTTP/1.1\r\nx-slow: '))[0], 408);
    assertRefusal((await sendToHasty(''))[0], 408);
  });

  it('gets a 408 if its body takes too long', async () => {
    assertRefusal((await sendToHasty(ofHasty(chunked()), '5\r\n{"tex'))[0], 408);
    assertRefusal((await sendToHasty(ofHasty(post(hello)).slice(0, -5)))[0], 408);
  });

  it('gets a 400 for invalid chunks, and a 413 for endless chunk extensions', async () => {
    assertRefusal((await send(`${chunked()}5\r\n{"tex\r\nzzz\r\n`))[0], 400);
    assertRefusal((await send(chunked(), '5\r\n{"tex\r\n', '-1\r\n'))[0], 400);
    const endless = `5;${'x'.repeat(20_000)}\r\n`;
    assertRefusal((await send(chunked(), endless))[0], 413);
  });

  it('gets a 400 with an error body if it has no Host header', async () => {
    const [reply] = await send('GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n');
    assert.equal(reply?.status, 400);
    plain.parse(JSON.parse(reply.body));
  });

  it('gets a 404 if its method is CONNECT', async () => {
    assertRefusal((await send(head('CONNECT example.org:443')))[0], 404);
  });

  it('succeeds if only its expectation is unknown', async () => {
    const [reply] = await send(head('GET /healthz', { expect: 'miracles', connection: 'close' }));
    assert.deepEqual([reply?.status, reply?.body], [200, '{"status":"ok"}']);
  });

  describe('after a valid request', () => {
    const garbage = 'garbage\r\n\r\n';

    it('leaves a stream complete if it is a CONNECT, and keeps no socket of a caller who leaves', async () => {
      const stream = post(long).replace(SPEECH, `${SPEECH}/stream`);
      const connect = head('CONNECT example.org:443');
      const [speech, refusal] = await send(stream + connect);
      assert.equal(speech?.status, 200);
      assert.ok(speech.body.length > 200_000, `${speech.body.length} bytes`);
      assertRefusal(refusal, 404);
      await leavingNothing(async () => {
        const socket = net.connect(Number(new URL(service.url).port), '127.0.0.1');
        socket.write(stream + connect);
        await once(socket, 'data');
        socket.destroy();
      });
    });

    it('leaves the first reply complete, and gets a second reply', async () => {
      for (const pieces of [[post(long) + garbage], [post(long), garbage]]) {
        const [speech, refusal, ...more] = await send(...pieces);
        assert.equal(speech?.status, 200);
        assert.equal(speech.headers.get('content-type'), 'audio/wav');
        assert.equal(speech.body.slice(0, 4), 'RIFF');
        assert.ok(Number(speech.headers.get('x-audio-length')) > 5);
        assertRefusal(refusal, 400);
        assert.deepEqual(more, []);
      }
    });

    it('leaves a streamed reply complete', async () => {
      const [stream, refusal] = await send(post(long).replace(SPEECH, `${SPEECH}/stream`), garbage);
      assert.equal(stream?.status, 200);
      assert.ok(stream.body.length > 100_000, `${stream.body.length} bytes`);
      assertRefusal(refusal, 400);
    });

    it('gets no reply if the request before it closes the connection', async () => {
      const last = head('GET /v1/credits', { connection: 'close' });
      const [credits, ...more] = await send(last + garbage);
      assert.deepEqual([credits?.status, credits?.body, more], [200, '{"balance":null}', []]);
    });

    it('leaves the replies of several requests complete and in order', async () => {
      const replies = await send(head('GET /v1/credits') + post(hello) + head('GET /nothing') + garbage);
      assert.deepEqual(
        replies.map(({ status }) => status),
        [200, 200, 404, 400],
      );
      assertRefusal(replies[3], 400);
    });

    it('leaves the first reply complete if its own body is broken', async () => {
      const [speech, refusal, ...more] = await send(`${post(long)}${chunked()}zzz\r\n`);
      assert.equal(speech?.status, 200);
      assertRefusal(refusal, 400);
      assert.deepEqual(more, []);
    });

    it('gets one reply if both its key and its body are invalid', async () => {
      const stranger = chunked().replace(service.key, 'nobody');
      const replies = await send(`${stranger}zzz\r\n`);
      assert.deepEqual(
        replies.map(({ status }) => status),
        [401],
      );
    });

    it('keeps no socket and no timer after its caller has gone', () =>
      leavingNothing(async () => {
        const socket = net.connect(Number(new URL(service.url).port), '127.0.0.1');
        const replied = once(
          socket.on('error', () => undefined),
          'data',
        );
        socket.write(head('GET /healthz') + post(long) + garbage);
        await replied;
        socket.resetAndDestroy();
      }));
  });

  it('does not delay the close of the service', async () => {
    const own = await startTestService();
    await exchange(own.url, `${chunked().replace(service.key, own.key)}zzz\r\n`);
    const socket = net.connect({
      port: Number(new URL(own.url).port),
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    const refused = once(
      socket.on('error', () => undefined),
      'data',
    );
    socket.write('garbage\r\n\r\n');
    await refused;
    await own.close();
    socket.destroy();
  });

  it('gets complete replies or a closed connection, for random bytes and mutations', async () => {
    const ending = (request: string) => request.replace('\r\n', '\r\nconnection: close\r\n');
    const valid = fc.constantFrom(
      () => head('GET /healthz'),
      () => head('GET /v1/voices?page_size=10'),
      () => post(hello),
      () => `${chunked()}${hello.length.toString(16)}\r\n${hello}\r\n0\r\n\r\n`,
      () => head('PATCH /v1/custom-voices/x', { 'content-length': 2 }),
    );
    const change = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      cut: fc.nat(8),
      put: fc.uint8Array({ maxLength: 8 }),
    });
    const mutated = fc
      .tuple(fc.array(valid, { minLength: 1, maxLength: 3 }), fc.array(change, { maxLength: 4 }))
      .map(([requests, changes]) =>
        changes.reduce(
          (bytes, { at, cut, put }) => {
            const place = Math.floor(at * bytes.length);
            return Buffer.concat([bytes.subarray(0, place), put, bytes.subarray(place + cut)]);
          },
          Buffer.from(requests.map((request) => ofHasty(ending(request()))).join('')),
        ),
      );
    const random = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
    const property = fc.asyncProperty(fc.oneof(random, mutated), async (bytes) => {
      for (const { status, headers, body } of repliesOf(await exchange(hasty.url, bytes))) {
        assert.ok(status >= 200 && status !== 500, `${status} ${body}`);
        if (status >= 400) {
          assert.match(headers.get('content-type') ?? '', /^application\/json/);
          z.union([plain, named]).parse(JSON.parse(body));
        }
      }
      await assertWell();
    });
    await fc.assert(property, { numRuns: 80 });
  });
});
