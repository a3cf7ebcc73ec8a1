import assert from 'node:assert/strict';
import { once } from 'node:events';
import type net from 'node:net';
import type { SpeechObserver } from '../../../service/metrics/metrics.js';
import { MAX_WYOMING_CONNECTIONS } from '../../../service/wyoming/serve-wyoming.js';
import { ended, samplesOf, startWyomingServer, typesOf, type WyomingTestServer } from './support.js';

type Outcome = Parameters<SpeechObserver['end']>[0];

/** Counts the seconds of all speech, and resolves with the end of one speech. */
function observed() {
  const spoken = { seconds: 0 };
  let report: (outcome: Outcome) => void = () => undefined;
  const outcome = new Promise<Outcome>((resolve) => (report = resolve));
  const observer = {
    piece: ({ seconds }: { seconds: number }) => void (spoken.seconds += seconds),
    end: report,
  };
  const metrics = { request: () => undefined, speech: () => observer, sampleCache: () => undefined };
  return { spoken, outcome, metrics };
}

const SLOW = { type: 'synthesize', data: { text: 'Slow words.' } };
const PING = { type: 'ping' };

describe('the limits of the Wyoming server', () => {
  let server: WyomingTestServer;
  afterEach(() => server.close());

  it('stops the speech for a client that stops reading, and ends its connection', async () => {
    const { spoken, outcome, metrics } = observed();
    server = await startWyomingServer({ timeouts: { stalled: 300 }, dependencies: { metrics } });
    const client = server.connect();
    client.socket.pause();
    client.send({ type: 'synthesize', data: { text: 'Hello there. '.repeat(1500), voice: { name: 'slt' } } });
    assert.notEqual(await outcome, 'done');
    // The system buffers some megabytes of 32,000 bytes a second. The whole text has more than 1,500 seconds.
    assert.ok(spoken.seconds < 400, `${spoken.seconds} seconds were spoken`);
  });

  it('reads no more from a client that does not read the answers', async () => {
    server = await startWyomingServer();
    const client = server.connect();
    client.socket.pause();
    const events = Array.from({ length: 1000 }, () => ({ type: 'describe' }));
    while (client.socket.writableLength < 1_000_000) client.send(...events);
    client.socket.resume();
    client.socket.on('data', () => undefined);
    await once(client.socket, 'drain');
    client.close();
  });

  for (const [title, hangUp] of [
    ['hangs up', (socket) => socket.destroy()],
    ['resets its connection', (socket) => socket.resetAndDestroy()],
  ] satisfies Array<[string, (socket: net.Socket) => unknown]>) {
    it(`stops the speech of a client that ${title}`, async () => {
      const { outcome, metrics } = observed();
      server = await startWyomingServer({ timeouts: { probing: 20 }, dependencies: { metrics } });
      const client = server.connect().send(SLOW, PING);
      await client.until('pong');
      hangUp(client.socket);
      assert.notEqual(await outcome, 'done');
      const events = await server.speak('Yes.', { name: 'slt' });
      assert.deepEqual(typesOf(events), ['audio-start', 'audio-chunk', 'audio-stop']);
    });
  }

  it('closes a connection without traffic, also in the middle of a text, but not while it speaks', async () => {
    server = await startWyomingServer({ timeouts: { idle: 50 } });
    const speaking = server.connect().send(SLOW, PING);
    await speaking.until('pong');
    const clients = [server.connect(), server.connect().send({ type: 'synthesize-start' })];
    for (const client of clients) assert.deepEqual(await client.until(''), []);
    speaking.send(PING);
    assert.equal((await speaking.next())?.type, 'pong');
  });

  it('closes the oldest idle connection for a new one over the limit, and refuses it if all speak', async () => {
    server = await startWyomingServer();
    const clients = [];
    for (let count = 0; count < MAX_WYOMING_CONNECTIONS; count += 1) {
      clients.push(server.connect().send(PING));
      await clients.at(-1)?.next();
    }
    const [first, second] = clients;
    assert(first && second);
    first.send({ type: 'synthesize-start' }, PING);
    await first.next();
    assert.equal((await server.connect().send(PING).next())?.type, 'pong');
    assert.deepEqual(await second.until(''), []);
    first.send(PING);
    assert.equal((await first.next())?.type, 'pong');
  });

  it('finishes the speech in work when it closes', async () => {
    server = await startWyomingServer({ grace: 10_000 });
    const [idle, speaking] = [server.connect(), server.connect()];
    speaking.send({ type: 'synthesize', data: { text: 'Hello there. '.repeat(10), voice: { name: 'slt' } } });
    await speaking.until('audio-start');
    const stopped = server.stop();
    assert.deepEqual(await idle.until(''), []);
    const events = await speaking.until('');
    assert.equal(events.at(-1)?.type, 'audio-stop');
    assert.ok(samplesOf(events).length > 5 * 32_000);
    await stopped;
  });

  it('ends all connections after the grace time when it closes', async () => {
    const { outcome, metrics } = observed();
    server = await startWyomingServer({ grace: 50, dependencies: { metrics } });
    const client = server.connect().send(SLOW, PING);
    await client.until('pong');
    await Promise.all([server.stop(), ended(client)]);
    assert.notEqual(await outcome, 'done');
  });
});
