import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { MAX_WYOMING_CONNECTIONS } from '../../../service/wyoming/serve-wyoming.js';
import { until } from '../../support/waiting.js';
import { startWyomingServer, typesOf, type WyomingClient, type WyomingTestServer } from './support.js';

const SLOW = { type: 'synthesize', data: { text: 'Slow words.' } };
const PING = { type: 'ping' };
const textOf = (text: string) => ({
  type: 'synthesize',
  data: { text, voice: { name: 'en_GB-unhurried-medium' } },
});
/** About 20 minutes of speech in chunks of 20 seconds. */
const LONG = textOf(`Long words${' and more'.repeat(30)}. `.repeat(60));
/** Speech that is longer than the buffers of a connection, in one chunk. */
const ENDLESS = textOf('Endless words.');

/** Counts the seconds of all speech. */
function countedSpeech() {
  const spoken = { seconds: 0 };
  const observer = {
    piece: ({ seconds }: { seconds: number }) => void (spoken.seconds += seconds),
    end: () => undefined,
  };
  const metrics = { request: () => undefined, speech: () => observer, sampleCache: () => undefined };
  return { spoken, metrics };
}

describe('the Wyoming server with many clients', () => {
  let server: WyomingTestServer;
  afterEach(() => server.close());

  for (const [title, keepWaiting] of [
    ['open a text and send none', (client) => client.send({ type: 'synthesize-start' }, PING)],
    [
      'open a text and send only empty parts of it',
      (client) => {
        client.send({ type: 'synthesize-start' }, PING);
        const parts = setInterval(() => client.send({ type: 'synthesize-chunk', data: { text: '' } }), 50);
        client.socket.once('close', () => clearInterval(parts));
      },
    ],
  ] satisfies Array<[string, (client: WyomingClient) => unknown]>) {
    it(`gives the connection of a client to a new one after some seconds if all of them ${title}`, async () => {
      server = await startWyomingServer({ timeouts: { yielding: 100 } });
      for (let count = 0; count < MAX_WYOMING_CONNECTIONS; count += 1) {
        const client = server.connect();
        keepWaiting(client);
        await client.until('pong');
      }
      await delay(200);
      const events = await server.speak('Yes.', { name: 'slt' });
      assert.deepEqual(typesOf(events), ['audio-start', 'audio-chunk', 'audio-stop']);
    });
  }

  it('gives the connection of a client that reads no audio to a new one', async () => {
    server = await startWyomingServer({ timeouts: { yielding: 100 } });
    const silent = server.connect().send(ENDLESS);
    await silent.until('audio-start');
    silent.socket.pause();
    for (let count = 1; count < MAX_WYOMING_CONNECTIONS; count += 1) {
      await server.connect().send(SLOW, PING).until('pong');
    }
    // The buffers of the connection get full, and the service waits for the client.
    await until(async () => (await server.connect().send(PING).next())?.type === 'pong');
    silent.socket.resume();
    assert.notEqual((await silent.until('audio-stop')).at(-1)?.type, 'audio-stop');
  });

  it('speaks a new text before it continues long texts whose beginnings their clients have', async () => {
    const { spoken, metrics } = countedSpeech();
    server = await startWyomingServer({ dependencies: { metrics } });
    const silent = Array.from({ length: 20 }, () => server.connect().send(LONG));
    await Promise.all(
      silent.map(async (client) => {
        await client.until('audio-start');
        client.socket.pause();
      }),
    );
    const before = spoken.seconds;
    const client = server
      .connect()
      .send({ type: 'synthesize', data: { text: 'Yes.', voice: { name: 'slt' } } });
    await client.until('audio-start');
    // A chunk in work has 20 seconds at most. One chunk of each of the others has 400.
    const seconds = spoken.seconds - before;
    assert.ok(seconds < 80, `${seconds} seconds of other texts`);
  });
});
