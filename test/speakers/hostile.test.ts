import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { createServer as createHttpServer } from 'node:http';
import { announce } from '../../speakers/announce/announce.js';
import { SpeakerFault } from '../../speakers/fault.js';
import { type KindName, kindOf } from '../../speakers/kinds.js';
import { usedHeap } from '../support/heap.js';
import { close, listen } from '../support/net/fault-server.js';
import { never, until } from '../support/waiting.js';
import { type Attack, attacks } from './attacks.js';

/** Seconds of the sound. */
const DURATION = 0.5;
/** Milliseconds until an announcement must end. A device that answers has 8 seconds to fetch the sound; the rest is for a busy computer. */
const LIMIT_MS = 20_000;
/** Bytes of memory that an attack may take: far less than it sends. */
const MAX_HEAP = 30_000_000;
/** Bytes of memory that all attacks at a time may take for a moment. */
const MOST_BYTES = 200_000_000;

const kinds: readonly (readonly [KindName, (port: number) => string])[] = [
  ['mpd', (port) => `127.0.0.1:${port}`],
  ['mopidy', (port) => `127.0.0.1:${port}`],
  ['dlna', (port) => `http://127.0.0.1:${port}/description.xml`],
  ['snapcast', (port) => `127.0.0.1:${port}`],
  ['home-assistant', (port) => `http://127.0.0.1:${port}/media_player.kitchen`],
];

const sound = {
  duration: DURATION,
  url: 'http://127.0.0.1:1/sound.wav',
  pcm: async () => ({ data: new Uint8Array(8000), sampleRate: 8000, channels: 1 }),
  isFetched: () => false,
};

/** Announces on a device, and returns the failure. */
async function failureOn(kind: KindName, address: string): Promise<unknown> {
  const journal = { begin: async () => {}, end: async () => {} };
  const announcement = { sound, settings: { together: async () => {} }, journal };
  return announce(kindOf(kind), { address, secret: 'token' }, announcement, never).then(
    ({ proof }) => `played: ${proof}`,
    (error: unknown) => error,
  );
}

/** The end of an announcement on a hostile device. */
interface Outcome {
  failure: unknown;
  milliseconds: number;
  /** Open connections some time after the end. */
  connections: number;
}

/** Announces on a device with one behaviour. */
async function meet(kind: KindName, addressOf: (port: number) => string, script: Attack): Promise<Outcome> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    socket.resume();
    script(socket);
  });
  const port = await listen(server);
  const start = performance.now();
  const failure = await failureOn(kind, addressOf(port));
  const milliseconds = performance.now() - start;
  // Idle connections of HTTP may stay for some seconds; a connection of a protocol with lines must not.
  const hasEnded = () => sockets.size === 0 || !['mpd', 'snapcast'].includes(kind);
  await until(hasEnded).catch(() => {});
  const connections = hasEnded() ? 0 : sockets.size;
  for (const socket of sockets) socket.destroy();
  await close(server);
  return { failure, milliseconds, connections };
}

const held = () => {
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
};

/** The memory that all attacks at a time took, in bytes. */
interface Memory {
  most: number;
  left: number;
}

describe('a hostile device', () => {
  for (const [kind, addressOf] of kinds)
    describe(`of the kind ${kind}`, () => {
      let outcomes: readonly (readonly [attack: string, outcome: Outcome])[] = [];
      let memory: Memory;
      before(async () => {
        // The kind loads before the memory is measured.
        await failureOn(kind, addressOf(1));
        const before = usedHeap();
        // Other tests of this process hold memory too.
        const atStart = held();
        let most = 0;
        const timer = setInterval(() => (most = Math.max(most, held() - atStart)), 20);
        outcomes = await Promise.all(
          Object.entries(attacks).map(
            async ([attack, script]) => [attack, await meet(kind, addressOf, script)] as const,
          ),
        );
        clearInterval(timer);
        memory = { most, left: usedHeap() - before };
      });

      it('costs a player bounded time for any data, and keeps no connection', () => {
        assert.equal(outcomes.length, Object.keys(attacks).length);
        for (const [attack, { failure, milliseconds, connections }] of outcomes) {
          assert.ok(failure instanceof SpeakerFault, `it ${attack}: ${String(failure)}`);
          assert.ok(failure.message.length < 400, failure.message);
          assert.ok(milliseconds < LIMIT_MS, `it ${attack}: ${milliseconds} ms`);
          assert.equal(connections, 0, `it ${attack}: ${connections} connections stay`);
        }
      });

      it('fills no memory of a player', () => {
        assert.ok(memory.left < MAX_HEAP, `${memory.left} bytes`);
        assert.ok(memory.most < MOST_BYTES, `${memory.most} bytes`);
      });
    });

  for (const [kind, addressOf] of kinds.filter(([name]) => name !== 'mpd' && name !== 'snapcast'))
    it(`leads a player of the kind ${kind} to no other host`, async () => {
      let asked = 0;
      const other = createHttpServer((_request, response) => {
        asked += 1;
        response.end();
      });
      const otherPort = await listen(other);
      for (const status of [301, 302, 303, 307, 308]) {
        const device = createHttpServer((_request, response) =>
          response.writeHead(status, { location: `http://localhost:${otherPort}/` }).end(),
        );
        const failure = await failureOn(kind, addressOf(await listen(device)));
        assert.ok(failure instanceof SpeakerFault, String(failure));
        device.closeAllConnections();
        await close(device);
      }
      assert.equal(asked, 0);
      await close(other);
    });
});
