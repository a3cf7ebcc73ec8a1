import assert from 'node:assert/strict';
import dns from 'node:dns';
import type { Socket } from 'node:net';
import { mock } from 'node:test';
import { type FailureCode, failures } from '../../../../client/base/errors.js';
import type { Client, ClientOptions } from '../../../../client/index.js';
import { createSpeech, listVoices } from '../../../../client/interface/operations.js';
import { encodeEvent, type WyomingEvent } from '../../../../client/wyoming/index.js';
import { freePort } from '../../../support/net/free-port.js';
import {
  audioEvents,
  infoOf,
  type ScriptedWyoming,
  send,
  speaking,
  speaks,
  type WyomingScript,
  withWyoming,
} from '../../../support/net/wyoming-server.js';
import { rejection } from '../../../support/rejection.js';
import { withClient } from '../../../support/service/client-for.js';
import { until } from '../../../support/waiting.js';

const upstream = { kind: 'wyoming' } as const;
const request = { voice_id: 'v1', text: 'Dinner is ready.', language: 'en' };
/** Milliseconds. Long enough for a server that replies, on a busy machine too. */
const WAIT_MS = 1000;
const timeouts = { connectTimeout: WAIT_MS, firstByteTimeout: WAIT_MS, idleTimeout: WAIT_MS };

const [start, ...rest] = audioEvents(Buffer.alloc(4410, 1));
const chunk = rest[0];
assert.ok(start && chunk);
const failing = (code: string, text = 'a problem'): WyomingEvent => ({ type: 'error', data: { text, code } });

/** Sends the same bytes until the connection closes. */
function flood(socket: Socket, bytes: Buffer): void {
  const fill = () => {
    while (socket.writable && socket.write(bytes));
  };
  socket.on('drain', fill);
  fill();
}

/** Sends bytes every 20 ms until the connection closes. */
function drip(socket: Socket, bytes: Buffer): void {
  const timer = setInterval(() => socket.write(bytes), 20);
  socket.once('close', () => clearInterval(timer));
}

const line = (header: object): Buffer => Buffer.from(`${JSON.stringify(header)}\n`);
const resetAfter = (socket: Socket, ...events: WyomingEvent[]) =>
  socket.write(Buffer.concat(events.map(encodeEvent)), () => setTimeout(() => socket.resetAndDestroy(), 20));

interface Fault {
  answer: (socket: Socket) => void;
  code: FailureCode;
  /** Whether the client sends the text again. */
  repeated: boolean;
  message?: RegExp;
}

const broken = (bytes: Buffer): Fault => ({
  answer: (socket) => socket.write(bytes),
  code: 'bad-reply',
  repeated: false,
});
const endless = (bytes: Buffer): Fault => ({
  answer: (socket) => flood(socket, bytes),
  code: 'bad-reply',
  repeated: false,
});
const replied = (code: FailureCode, repeated: boolean, ...events: WyomingEvent[]): Fault => ({
  answer: (socket) => send(socket, ...events),
  code,
  repeated,
});
const cut = (...events: WyomingEvent[]): Fault => ({
  answer: (socket) => socket.end(Buffer.concat(events.map(encodeEvent))),
  code: 'no-reply',
  repeated: true,
});

/** All faults of a reply to a text, by name. */
const faults: Record<string, Fault> = {
  'closed before an event': cut(),
  'closed after audio-start': cut(start),
  'closed in the middle of the audio': cut(start, chunk),
  'reset before an event': { answer: (socket) => socket.resetAndDestroy(), code: 'no-reply', repeated: true },
  'reset in the middle of the audio': {
    answer: (socket) => resetAfter(socket, start, chunk),
    code: 'no-reply',
    repeated: true,
  },
  'no answer': { answer: () => undefined, code: 'timed-out', repeated: true, message: /no reply/ },
  'audio, then silence': { ...replied('timed-out', true, start, chunk), message: /stalled/ },
  'half a line, then silence': { ...broken(Buffer.from('{"type":')), code: 'timed-out', repeated: true },
  'half a payload, then silence': {
    ...broken(line({ type: 'audio-chunk', payload_length: 1000 })),
    code: 'timed-out',
    repeated: true,
  },
  'an error event for an unknown voice': {
    ...replied('not-found', false, failing('VoiceNotFoundError')),
    message: /v1/,
  },
  'an error event of the local service for an unknown voice': replied(
    'not-found',
    false,
    failing('not-found'),
  ),
  'an error event for a text': replied('bad-request', false, failing('bad-request')),
  'an error event for too many requests': replied('rate-limited', true, failing('too-many-requests')),
  'an error event with another code': {
    ...replied('service-failed', true, failing('Error', '# channels not specified')),
    message: /# channels not specified/,
  },
  'an error event without data': replied('service-failed', true, { type: 'error', data: {} }),
  'an error event in the middle of the audio': replied(
    'service-failed',
    true,
    start,
    chunk,
    failing('Error'),
  ),
  'an end without a start': {
    ...replied('bad-request', false, { type: 'audio-stop', data: {} }),
    message: /nothing to speak/,
  },
  'a start and an end without samples': replied('bad-reply', false, start, { type: 'audio-stop', data: {} }),
  'another rate in the middle of the audio': replied('bad-reply', false, start, {
    ...chunk,
    data: { rate: 16_000, width: 2, channels: 1 },
  }),
  'a second start with another width': replied('bad-reply', false, start, chunk, {
    type: 'audio-start',
    data: { rate: 22_050, width: 4, channels: 1 },
  }),
  'half a sample at the end': replied(
    'bad-reply',
    false,
    start,
    { ...chunk, payload: Buffer.alloc(3) },
    { type: 'audio-stop', data: {} },
  ),
  'a rate of 0': replied('bad-reply', false, { ...start, data: { rate: 0, width: 2, channels: 1 } }),
  'a width of 5': replied('bad-reply', false, { ...start, data: { rate: 8000, width: 5, channels: 1 } }),
  'channels as a text': replied('bad-reply', false, {
    ...start,
    data: { rate: 8000, width: 2, channels: '1' },
  }),
  'audio without a format': replied('bad-reply', false, { ...chunk, data: {} }),
  'the page of a web server': {
    ...broken(Buffer.from('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n')),
    message: /check the address/,
  },
  'bytes in place of JSON': broken(Buffer.from([0xff, 0xfe, 0x00, 0x0a])),
  'a JSON array in place of an object': broken(Buffer.from('[]\n')),
  'an event without a type': broken(line({ data: {} })),
  'a negative data_length': broken(line({ type: 'audio-start', data_length: -1 })),
  'a negative payload_length': broken(line({ type: 'audio-chunk', payload_length: -1 })),
  'a huge data_length': broken(line({ type: 'audio-start', data_length: 2 ** 50 })),
  'a huge payload_length': broken(line({ type: 'audio-chunk', payload_length: 2 ** 50 })),
  'a length with a fraction': broken(line({ type: 'audio-chunk', payload_length: 1.5 })),
  'a length as a text': broken(line({ type: 'audio-chunk', payload_length: '12' })),
  'a line without an end': endless(Buffer.alloc(65_536, 'x')),
  'blank lines without an end': endless(Buffer.alloc(65_536, '\n')),
  'unknown events without an end': endless(Buffer.from('{"type":"x"}\n'.repeat(5000))),
  'audio without an end': endless(encodeEvent(chunk)),
  'empty audio without an end': endless(encodeEvent({ ...chunk, payload: Buffer.alloc(0) })),
  'starts without an end': endless(encodeEvent(start)),
  'deep JSON in a line': broken(Buffer.from(`${'['.repeat(200_000)}\n`)),
  'deep JSON in an event': broken(
    Buffer.from(`{"type":"audio-start","data":{"rate":${'['.repeat(90_000)}${']'.repeat(90_000)}}}\n`),
  ),
};

/** Fails a call of a server with a fault, and returns the error. */
const failureOf = (
  script: WyomingScript,
  work: (server: ScriptedWyoming) => void,
  options: Partial<ClientOptions> = {},
) =>
  withWyoming(script, (server) =>
    withClient(
      {
        url: server.url,
        upstream,
        attempts: 2,
        maxReplyBytes: 1_000_000,
        maxJsonBytes: 300_000,
        ...options,
      },
      async (client) => {
        const error = await rejection(client.call(createSpeech, request));
        work(server);
        return error;
      },
    ),
  );

const texts = ({ events }: ScriptedWyoming): number =>
  events.filter(({ type }) => type === 'synthesize').length;

describe('speech of a broken Wyoming server', () => {
  for (const [name, { answer, code, repeated, message }] of Object.entries(faults)) {
    it(`${name}: rejects with ${code} ${repeated ? 'after a retry' : 'at once'}`, async () => {
      const tries = repeated ? 2 : 1;
      const error = await failureOf(
        speaking((_, socket) => answer(socket)),
        (server) => assert.equal(texts(server), tries),
        // A busy computer must not end the other faults by a time limit.
        code === 'timed-out' ? timeouts : {},
      );
      assert.equal(error.code, code, error.message);
      assert.equal(error.route, failures[code].route);
      assert.equal(error.attempts, tries);
      if (message !== undefined) assert.match(error.message, message);
    });
  }

  it('names the address if no server listens', async () => {
    const port = await freePort();
    await withClient({ url: `127.0.0.1:${port}`, upstream, attempts: 2 }, async (client) => {
      const { code, message } = await rejection(client.call(createSpeech, request));
      assert.equal(code, 'no-connection');
      assert.ok(message.includes(`; address: tcp://127.0.0.1:${port}`), message);
    });
  });

  it('names the address of an unknown host', () =>
    withClient({ url: 'nobody.invalid', upstream, attempts: 2 }, async (client) => {
      const { code, message } = await rejection(client.call(createSpeech, request));
      assert.equal(code, 'no-connection');
      assert.match(message, /; address: tcp:\/\/nobody\.invalid:10200$/);
    }));

  it('gives up a connection after its time limit, such as a lookup without an answer', async () => {
    const lookup = mock.method(dns, 'lookup', () => undefined);
    try {
      await withClient(
        { url: 'speech.invalid', upstream, attempts: 2, connectTimeout: 50 },
        async (client) => {
          const { code, message, attempts } = await rejection(client.call(createSpeech, request));
          assert.equal(code, 'no-connection');
          assert.equal(attempts, 2);
          assert.match(message, /no connection within the timeout; address: /);
        },
      );
    } finally {
      lookup.mock.restore();
    }
  });

  it('ends at the deadline of the call if the server sends a byte at a time', async () => {
    const error = await failureOf(
      speaking((_, socket) => drip(socket, Buffer.from('x'))),
      () => undefined,
      { totalTimeout: WAIT_MS / 2 },
    );
    assert.equal(error.code, 'timed-out');
  });

  it('speaks after a server that restarted in the middle of a piece', () =>
    withWyoming(
      speaking((event, socket, index) => {
        if (index === 0) resetAfter(socket, start, chunk);
        else void speaks(event, socket, index);
      }),
      (server) =>
        withClient({ url: server.url, upstream }, async (client) => {
          const { duration } = await client.call(createSpeech, request);
          assert.equal(duration, 0.1);
          assert.equal(texts(server), 2);
        }),
    ));

  it('ends at once, with its connection, when the caller stops or the client closes', () =>
    withWyoming(
      speaking(() => undefined),
      async (server) => {
        const ends: ((stop: AbortController, client: Client) => void)[] = [
          (stop) => stop.abort(),
          (_, client) => void client.close(),
        ];
        for (const [place, end] of ends.entries()) {
          await withClient({ url: server.url, upstream }, async (client) => {
            const stop = new AbortController();
            const call = rejection(client.call(createSpeech, request, { signal: stop.signal }));
            await until(() => texts(server) === place + 1);
            end(stop, client);
            assert.equal((await call).code, 'aborted');
            await until(() => server.sockets.size === 0);
          });
        }
      },
    ));
});

describe('a hostile Wyoming server', () => {
  /** Bytes that break a part of an event, each in many ways. */
  const parts: Buffer[] = [
    ...[-1, -(2 ** 53), 0.5, 1e308, 2 ** 53, 2 ** 31, '1', null, [], {}, true].flatMap((length) =>
      ['data_length', 'payload_length'].map((name) => line({ type: 'info', [name]: length })),
    ),
    ...[10, 1000, 100_000].flatMap((depth) =>
      ['[', '{"a":', '[[],'].map((open) => Buffer.from(`{"type":"info","data":${open.repeat(depth)}\n`)),
    ),
    ...['tts', 'voices', 'name', 'languages', 'speakers', 'attribution'].flatMap((name) =>
      [7, 'x', [[]], { length: 1e9 }, [null], '\ud800'].map((value) => {
        const voice = { name: 'v', [name]: value };
        return encodeEvent({ type: 'info', data: { tts: [{ voices: [voice], [name]: value }] } });
      }),
    ),
    ...['\0', '\r\n', '{}\n', '"x"\n', '1\n', 'null\n', '{"type":7}\n', '{"type":""}\n', '{"type":[]}\n'].map(
      (text) => Buffer.from(text),
    ),
    ...['info', 'error', 'audio-stop', 'pong'].flatMap((type) =>
      [7, 'x', [], null, [{}]].map((data) => line({ type, data })),
    ),
    ...['__proto__', 'constructor', 'toString'].map((name) =>
      line({ type: 'info', data: { [name]: { tts: [] } } }),
    ),
    ...[0x80, 0xc0, 0xff].map((byte) => Buffer.from([byte, byte, 10])),
  ];

  it(`ends each call once with a failure or a list, for ${parts.length} hostile descriptions`, async () => {
    assert.ok(parts.length >= 100);
    const codes: FailureCode[] = ['bad-reply', 'no-reply', 'service-failed'];
    for (const bytes of parts) {
      await withWyoming(
        (_, socket) => void socket.end(bytes),
        (server) =>
          withClient({ url: server.url, upstream, attempts: 1 }, async (client) => {
            let ends = 0;
            const call = client.call(listVoices, {}).finally(() => {
              ends += 1;
            });
            const outcome = await call.then(
              ({ items }) => items.every(({ voice_id }) => typeof voice_id === 'string'),
              (error: { code: FailureCode }) => codes.includes(error.code) || error,
            );
            assert.equal(outcome, true, bytes.subarray(0, 100).toString('latin1'));
            assert.equal(ends, 1);
          }),
      );
    }
  });

  it('cannot make a list of voices larger than the limit of JSON', async () => {
    const voices = Array.from({ length: 5000 }, (_, place) => ({
      name: `voice-${place}-${'x'.repeat(100)}`,
    }));
    await withWyoming(
      (_, socket) => send(socket, infoOf(...voices)),
      (server) =>
        withClient({ url: server.url, upstream, maxJsonBytes: 200_000 }, async (client) => {
          assert.equal((await rejection(client.call(listVoices, {}))).code, 'bad-reply');
        }),
    );
  });
});
