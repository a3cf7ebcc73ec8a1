import assert from 'node:assert/strict';
import { inspectAudio, readMark } from '@herald-speech/client';
import { measureLoudness, wavHeader } from '@herald-speech/client/audio';
import { encodeEvent } from '../../../client/wyoming/index.js';
import { samplesOf } from '../../audio/tools.js';
import { type FlowNode, speechNode, withFlow } from '../../support/node-red/flow.js';
import { audioOf, speechOf } from '../../support/node-red/messages.js';
import { type Script, withServer } from '../../support/net/scripted-server.js';
import {
  audioEvents,
  send,
  speaking,
  type WyomingScript,
  withWyoming,
} from '../../support/net/wyoming-server.js';
import { shareLocalService } from '../../support/service/local-service.js';
import { tone } from '../../support/service/service.js';
import { LONG_TEXT, speakWith } from './spoken.js';

/** The sample rate of the first service, which the whole file has. */
const RATE = 24_000;

const account = (id: string, more: object): FlowNode => ({
  id,
  type: 'herald-account',
  name: `Service ${id}`,
  language: 'en',
  attempts: '1',
  cache: false,
  ...more,
});

/** Returns two seconds of a tone, which stand in for a piece. */
const samples = (sampleRate: number, volume: number): Buffer =>
  Buffer.from(tone(300, 2, sampleRate).map((sample) => sample * volume).buffer);

/** A WAV whose header does not state its length. */
const streamed = Buffer.concat([
  wavHeader({ encoding: 'pcm', channels: 1, sampleRate: RATE, bitsPerSample: 16 }, undefined),
  samples(RATE, 1),
]);

/** Lists no voices. Speaks two pieces, then replies with the page of a proxy. */
const openai = (): Script => {
  let pieces = 0;
  return ({ method }) => {
    if (method === 'GET') return { status: 404, body: {} };
    pieces += 1;
    if (pieces <= 2) return { headers: { 'content-type': 'audio/wav' }, body: streamed };
    return { status: 502, headers: { 'content-type': 'text/html' }, body: Buffer.from('<h1>Bad</h1>') };
  };
};

/** Speaks one piece at another rate, 10 dB more quietly. Closes the connection in the middle of the next one. */
const wyoming = speaking((_event, socket, index) => {
  const events = audioEvents(samples(16_000, 0.3), { rate: 16_000 });
  if (index === 0) send(socket, ...events);
  else socket.end(Buffer.concat(events.slice(0, 3).map(encodeEvent)));
});

describe('a text that an OpenAI-compatible service, a Wyoming server and the local service speak in turn', () => {
  shareLocalService();

  it('has each word once, at one sample rate and loudness, with the mark of synthetic speech', () =>
    withServer(openai(), (first) =>
      withWyoming(wyoming, (second) =>
        withFlow(
          [
            account('account', { service: 'openai', url: first.url, fallback: 'account:piper' }),
            account('piper', { service: 'wyoming', address: second.url, fallback: 'local' }),
            speechNode('text-to-speech'),
          ],
          async (flow) => {
            const text = LONG_TEXT.slice(0, LONG_TEXT.indexOf('Four and'));
            flow.send('node', { payload: text });
            const message = await flow.out('done');
            const { chunks } = speechOf(message);
            const texts = chunks.map((chunk) => chunk.text);
            assert.equal(texts.join(' '), text.trim());
            const inputs = first.requests.flatMap(({ method, json }) =>
              method === 'POST' ? json['input'] : [],
            );
            assert.deepEqual(inputs, texts.slice(0, 3));
            const sent = second.events.filter(({ type }) => type === 'synthesize');
            assert.deepEqual(
              sent.map(({ data }) => data['text']),
              texts.slice(2, 4),
            );
            // The local service speaks the rest.
            assert.ok(texts.length >= 4);
            const audio = audioOf(message);
            assert.equal(inspectAudio(audio).sampleRate, RATE);
            assert.equal(readMark(audio)?.language, 'en');
            const all = Float32Array.from(samplesOf(audio), (sample) => sample / 2 ** 15);
            const at = (seconds: number) => Math.round(seconds * RATE);
            const levels = chunks.map(({ start, duration }) =>
              measureLoudness(all.subarray(at(start), at(start + duration)), RATE),
            );
            assert.ok(Math.max(...levels) - Math.min(...levels) <= 1, levels.join(', '));
          },
        ),
      ),
    ));
});

/** Speaks two pieces with a voice of which the server states no gender. Fails in the middle of the third one. */
const failingAfterTwo = (fail: WyomingScript): WyomingScript =>
  speaking((event, socket, index) => {
    const events = audioEvents(samples(16_000, 0.3), { rate: 16_000 });
    if (index < 2) return send(socket, ...events);
    send(socket, ...events.slice(0, 3));
    return fail(event, socket, index);
  });

const FAILURES: Readonly<Record<string, { fail: WyomingScript; code: string; reason: RegExp }>> = {
  'dies in the middle of a text': {
    fail: (_event, socket) => void socket.end(),
    code: 'no-reply',
    reason: /the connection closed/,
  },
  'sends no audio in time': { fail: () => undefined, code: 'timed-out', reason: /no audio within 2 s/ },
};

describe('a Wyoming server whose voices state no gender, with the local service as its fallback', () => {
  shareLocalService();

  for (const [title, { fail, code, reason }] of Object.entries(FAILURES))
    it(`is replaced for the rest of the text if it ${title}`, () =>
      withWyoming(failingAfterTwo(fail), ({ url, events }) =>
        withFlow(
          [account('account', { service: 'wyoming', address: url, fallback: 'local', fallbackAfter: '2' })],
          async (flow) => {
            const pieces = await speakWith(flow, { text: LONG_TEXT });
            assert.equal(pieces.map(({ text }) => text).join(' '), LONG_TEXT);
            const own = pieces.filter(({ takeover }) => takeover === undefined);
            assert.equal(own.length, 2);
            assert.ok(pieces.length > own.length);
            const [first] = pieces.slice(own.length);
            assert.equal(first?.takeover?.reason.code, code);
            assert.match(first.takeover.reason.message, reason);
            assert.equal(first.voice.language, 'en');
            assert.ok(pieces.slice(own.length).every(({ duration }) => duration > 0.3));
            const sent = events.filter(({ type }) => type === 'synthesize').map(({ data }) => data['text']);
            assert.deepEqual(
              [...new Set(sent)],
              pieces.slice(0, 3).map(({ text }) => text),
            );
          },
        ),
      ));
});
