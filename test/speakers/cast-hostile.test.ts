import assert from 'node:assert/strict';
import { createServer, type TLSSocket } from 'node:tls';
import { cast } from '../../speakers/cast/cast.js';
import { Frames, framed } from '../../speakers/cast/frame.js';
import { close, listen } from '../support/net/fault-server.js';
import { selfSigned } from '../support/net/proxy.js';
import { usedHeap } from '../support/heap.js';
import { reasonOf } from './reason.js';
import { type Stage, withStage } from './stage.js';

/** Messages that another library encodes: castv2 with protobufjs. */
const ENCODED =
  'AAAA/wgAEghzZW5kZXItMBoKcmVjZWl2ZXItMCIndXJuOngtY2FzdDpjb20uZ29vZ2xlLmNhc3QudHAuaGVhcnRiZWF0KAAyuQF7InR5cGUiOiJQSU5HIiwidGV4dCI6IsO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7zDvMO8w7wifQ==';
const BINARY = Buffer.from(
  'AAAAQggAEgpyZWNlaXZlci0wGgEqIih1cm46eC1jYXN0OmNvbS5nb29nbGUuY2FzdC50cC5kZXZpY2VhdXRoKAE6AwECAw==',
  'base64',
);
const NAMESPACE = 'urn:x-cast:com.google.cast.';

describe('the messages of a Cast device', () => {
  const message = {
    source: 'sender-0',
    destination: 'receiver-0',
    namespace: `${NAMESPACE}media`,
    text: 'é'.repeat(5000),
  };

  it('are the same in any number of parts', () => {
    const bytes = Buffer.concat([framed(message), framed({ ...message, text: '' }), BINARY]);
    for (const size of [1, 3, 4, 5, 100, bytes.length]) {
      const frames = new Frames();
      const found = [];
      for (let at = 0; at < bytes.length; at += size)
        found.push(...frames.add(bytes.subarray(at, at + size)));
      assert.deepEqual(found, [
        message,
        { ...message, text: '' },
        { source: 'receiver-0', destination: '*', namespace: `${NAMESPACE}tp.deviceauth`, text: '' },
      ]);
    }
  });

  it('are encoded as another library does', () => {
    const text = JSON.stringify({ type: 'PING', text: 'ü'.repeat(80) });
    const ping = {
      source: 'sender-0',
      destination: 'receiver-0',
      namespace: `${NAMESPACE}tp.heartbeat`,
      text,
    };
    assert.equal(framed(ping).toString('base64'), ENCODED);
  });

  const wrong: [name: string, bytes: Buffer][] = [
    ['a length of 4 GB', Buffer.from('ffffffff', 'hex')],
    ['a length of 0', Buffer.alloc(4)],
    ['a field that is longer than its message', Buffer.from('000000021205', 'hex')],
    ['a field with a length of 2 GB', Buffer.from('0000000612ffffffff07', 'hex')],
    ['a number without an end', Buffer.from('0000000bffffffffffffffffffffff', 'hex')],
    ['a group, which the encoding no longer knows', Buffer.from('000000020b0c', 'hex')],
  ];
  for (const [name, bytes] of wrong)
    it(`are refused with ${name}`, () => {
      assert.throws(() => [...new Frames().add(bytes)], /a message with/);
    });
});

describe('a hostile device in place of a Cast device', () => {
  /** Sends as much as the connection takes. */
  const flood = (bytes: Buffer) => (socket: TLSSocket) => {
    const fill = () => {
      while (socket.writable && socket.write(bytes));
    };
    socket.on('drain', fill);
    fill();
  };
  const say = (topic: string, payload: unknown) =>
    framed({
      source: 'receiver-0',
      destination: '*',
      namespace: `${NAMESPACE}${topic}`,
      text: JSON.stringify(payload),
    });
  const many = (bytes: Buffer) => flood(Buffer.concat(Array.from({ length: 200 }, () => bytes)));
  const scripts: [does: string, script: (socket: TLSSocket) => void][] = [
    ['announces a message of 4 GB', flood(Buffer.alloc(65_536, 255))],
    ['says nothing', () => {}],
    ['never ends a message', (socket) => socket.write(Buffer.from('0000ffff08', 'hex'))],
    ['floods with pings', many(say('tp.heartbeat', { type: 'PING' }))],
    ['floods with states', many(say('receiver', { type: 'RECEIVER_STATUS', status: 7, requestId: 'x' }))],
    [
      'sends invalid JSON',
      many(framed({ source: '', destination: '', namespace: `${NAMESPACE}media`, text: '{' })),
    ],
    [
      'has programs of another shape',
      (socket) =>
        socket.write(
          say('receiver', {
            type: 'RECEIVER_STATUS',
            requestId: 2,
            status: { applications: { length: 1e9 }, volume: [] },
          }),
        ),
    ],
    ['speaks another protocol', flood(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'))],
  ];
  interface Outcome {
    reason: string;
    /** Bytes that the device got rid of on each connection. */
    written: number[];
  }
  let outcomes: ReadonlyMap<string, Outcome>;
  let growth: number;
  const meet = async (script: (socket: TLSSocket) => void, play: Stage['play']): Promise<Outcome> => {
    const sockets: TLSSocket[] = [];
    const server = createServer({ key: selfSigned, cert: selfSigned }, (socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined).resume();
      script(socket);
    });
    const port = await listen(server);
    try {
      const reason = await reasonOf(play(`127.0.0.1:${port}`));
      return { reason, written: sockets.map(({ bytesWritten }) => bytesWritten) };
    } finally {
      // It closes only when the connection has ended.
      await close(server);
    }
  };
  // All devices attack at the same time, and share one limit of memory.
  before(() =>
    withStage(cast, 1, async ({ play }) => {
      const heap = usedHeap();
      outcomes = new Map(
        await Promise.all(scripts.map(async ([does, script]) => [does, await meet(script, play)] as const)),
      );
      growth = usedHeap() - heap;
    }),
  );

  for (const [does] of scripts)
    it(`is unreachable or lost within some seconds and megabytes if it ${does}`, () => {
      const { reason = '', written = [] } = outcomes.get(does) ?? {};
      assert.match(reason, /^speaker-(unreachable|refused|lost)$/);
      assert.ok(growth < 20_000_000, `${growth} bytes`);
      // The device did not get rid of more than the buffers of the system hold.
      assert.ok(written.length > 0);
      for (const bytes of written) assert.ok(bytes < 15_000_000, String(bytes));
    });
});
