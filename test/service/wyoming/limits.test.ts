import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
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
    const text =
      'Heute scheint die Sonne, und morgen regnet es den ganzen Tag in allen Teilen des Landes. '.repeat(200);
    client.send({ type: 'synthesize', data: { text, voice: { language: 'de' } } });
    assert.notEqual(await outcome, 'done');
    // The system buffers some megabytes of 44,100 bytes a second. The whole text has more than 1,000 seconds.
    assert.ok(spoken.seconds < 400, `${spoken.seconds} seconds were spoken`);
  });

  it('answers no further events of a client that does not read the answers', async () => {
    let answers = 0;
    const metrics = { ...observed().metrics, request: () => void (answers += 1) };
    server = await startWyomingServer({
      timeouts: { stalled: 300 },
      grace: 60_000,
      dependencies: { metrics },
    });
    const client = server.connect().send({ type: 'synthesize-start' }, PING);
    await client.until('pong');
    client.socket.pause();
    client.send(...Array.from({ length: 2000 }, () => ({ type: 'describe' })));
    await server.stop(); // The text is incomplete, so the connection ends because it stalls.
    assert.ok(answers > 1 && answers < 1000, `${answers} answers`);
  });

  it('answers other clients as fast after line ends without words as after words', async () => {
    server = await startWyomingServer();
    /** Returns the processor time in microseconds from a part of a text until another client gets its answer. */
    const timeOf = async (text: string) => {
      const client = server.connect().send({ type: 'synthesize-start' }, PING);
      await client.until('pong');
      const start = process.cpuUsage();
      client.send({ type: 'synthesize-chunk', data: { text } }, PING);
      await client.until('pong');
      assert.equal((await server.connect().send(PING).next())?.type, 'pong');
      const { user, system } = process.cpuUsage(start);
      client.close();
      return user + system;
    };
    const words = () => timeOf('word '.repeat(400));
    await words(); // Loads the code.
    const usual = await words();
    const lineEnds = await timeOf(`${'\n'.repeat(4000)}a`);
    assert.ok(lineEnds < 10 * usual, `${lineEnds} µs for line ends, ${usual} µs for words`);
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

  it('logs no error if a client resets its connection in the middle of a text', async () => {
    server = await startWyomingServer();
    const client = server.connect().send({ type: 'synthesize-start' }, PING);
    await client.until('pong');
    client.socket.resetAndDestroy();
    await server.stop();
    assert.deepEqual(
      server.log.filter(({ level }) => level === 'error'),
      [],
    );
  });

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

  it('keeps its limit of connections if the clients do not close them', async () => {
    server = await startWyomingServer();
    const { port } = new URL(server.url);
    const sockets = [];
    for (let count = 0; count < MAX_WYOMING_CONNECTIONS + 20; count += 1) {
      const socket = net.connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
      await once(socket, 'connect');
      sockets.push(socket.on('error', () => undefined));
    }
    const answered = await Promise.all(
      sockets.map(async (socket) => (await firstBytes(socket)) !== undefined),
    );
    assert.equal(answered.filter(Boolean).length, MAX_WYOMING_CONNECTIONS);
    for (const socket of sockets) socket.destroy();
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

/** Sends a ping. Resolves with the start of the answer, or with undefined if the connection has ended. */
async function firstBytes(socket: net.Socket): Promise<Buffer | undefined> {
  socket.write('{"type": "ping"}\n');
  for await (const bytes of socket) return bytes;
  return undefined;
}
