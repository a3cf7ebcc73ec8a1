import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { operations } from '@herald-speech/client';
import { connectionLimits } from '../../../service/http/connection-limit.js';
import { MAX_SAMPLES } from '../../../service/http/samples/sample-queue.js';
import { startTestService, type TestService } from '../../support/service/service.js';
import { until } from '../../support/waiting.js';

const hello = { text: 'Dinner is ready.', language: 'en' };

describe('callers without a key', () => {
  let service: TestService;
  const sockets: net.Socket[] = [];
  before(async () => {
    service = await startTestService({
      speech: { size: 1, maxQueued: 0 },
      timeouts: { keepAlive: 60_000 },
      metrics: true,
    });
  });
  afterEach(async () => {
    const open = sockets.splice(0).filter((socket) => !socket.closed);
    await Promise.all(open.map((socket) => once(socket.destroy(), 'close')));
    await until(
      async () => (await jobs()).every((count) => count === 0),
      () => 'the service is not idle',
    );
  });
  after(() => service.close());

  const speak = () => service.send('POST', '/v1/text-to-speech/kal', hello);
  /** Returns the numbers of running and waiting jobs. */
  const jobs = async () => {
    const page = await (await fetch(`${service.url}/metrics`)).text();
    const counts = [...page.matchAll(/^herald_jobs\{.*\} (\d+)$/gm)].map(([, count]) => Number(count));
    assert.equal(counts.length, 2, page);
    return counts;
  };
  /** Opens a connection and sends the start of a request. */
  const open = async (text: string) => {
    const socket = net.connect(Number(new URL(service.url).port), '127.0.0.1');
    sockets.push(socket.on('error', () => undefined));
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
  const openMany = (count: number, text: string) =>
    Promise.all(Array.from({ length: count }, async () => open(text)));
  const samplesOf = async () => {
    const reply = operations.listVoices.response.parse(
      await (await service.send('GET', '/v1/voices')).json(),
    );
    return reply.items.flatMap(({ samples }) => (samples ?? []).map(({ url }) => url));
  };

  const starts: Array<[string, string]> = [
    ['send their headers slowly', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['send nothing', ''],
    ['keep their connection open after a reply', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      'send a body slowly',
      'POST /v1/text-to-speech/rms HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n{',
    ],
  ];
  for (const [what, start] of starts) {
    it(`do not lock out callers with a key if ${connectionLimits.connections} of them ${what}`, async () => {
      await openMany(connectionLimits.connections, start);
      assert.equal((await speak()).status, 200);
      await openMany(20, start);
      assert.equal((await speak()).status, 200);
    });
  }

  for (const [who, request] of [
    ['a key', (key: string) => `GET /v1/credits HTTP/1.1\r\nHost: x\r\nX-Sup-Api-Key: ${key}\r\n\r\n`],
    [
      'a key, in the console',
      (key: string) => `GET /console/api/keys HTTP/1.1\r\nHost: x\r\nX-Sup-Api-Key: ${key}\r\n\r\n`,
    ],
  ] as const) {
    it(`do not close an idle connection of a caller with ${who}`, async () => {
      const socket = await open(request(service.key));
      await once(socket, 'data');
      const closed = once(socket, 'close');
      await openMany(connectionLimits.connections + 10, 'GET ');
      // The service has accepted the connections before this one. `fetch` could use an idle one, which the service closes.
      await once(await open('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'), 'data');
      socket.write(request(service.key));
      const [reply]: unknown[] = await Promise.race([once(socket, 'data'), closed]);
      assert.match(String(reply), /^HTTP\/1\.1 200/);
    });
  }

  it('do not end a stream of a caller with a key', async () => {
    const long = { text: 'This is a sentence. '.repeat(15).trim(), language: 'en' };
    const reply = await service.send('POST', '/v1/text-to-speech/rms/stream', long);
    await openMany(connectionLimits.connections + 10, 'GET ');
    assert.ok((await reply.arrayBuffer()).byteLength > 100_000);
  });

  it('get a few samples at a time, and take no place in the queue of callers with a key', async () => {
    const urls = await samplesOf();
    const wanted = urls.slice(0, 5 * MAX_SAMPLES);
    const samples = Promise.all(wanted.map(async (url) => (await fetch(url)).status));
    // The only worker is busy with samples. A place in their queue would be missing for speech, because it has none.
    for (let count = 0; count < 4; count += 1) assert.equal((await speak()).status, 200);
    const statuses = await samples;
    assert.deepEqual(
      [...new Set(statuses)].toSorted((a, b) => a - b),
      [200, 503],
    );
    assert.ok(statuses.filter((status) => status === 200).length >= MAX_SAMPLES);
    assert.equal((await fetch(wanted.at(-1) ?? '')).status, 200);
  });
});
