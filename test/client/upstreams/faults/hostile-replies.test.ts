import assert from 'node:assert/strict';
import {
  createSpeech,
  getVoiceUsage,
  operations,
  streamSpeech,
} from '../../../../client/interface/operations.js';
import type { Client } from '../../../../client/api/client.js';
import type { UpstreamChoice } from '../../../../client/upstreams/list.js';
import type { SpeechError } from '../../../../client/base/errors.js';
import { withService } from '../../../support/service/client-for.js';
import { usedHeap } from '../../../support/heap.js';
import { rejection } from '../../../support/rejection.js';
import type { Scripted } from '../../../support/net/scripted-server.js';

const speech = { voice_id: 'v1', text: 'Hello', language: 'en' };
const dates = { start_date: '2026-11-01', end_date: '2026-11-02' };
const json = (body: string): Scripted => ({ body: Buffer.from(body) });
const audio = (body: Buffer): Scripted => ({ headers: { 'content-type': 'audio/wav' }, body });
const filled = (before: string, filling: string, after: string, bytes: number) =>
  json(before + `${filling},`.repeat(bytes / (filling.length + 1)) + filling + after);

const speak = (client: Client) => client.call(createSpeech, speech);
const search = (client: Client) => client.call(operations.searchVoices, {});

type Attack = [call: (client: Client) => Promise<unknown>, reply: () => Scripted, upstream?: UpstreamChoice];

const openai: UpstreamChoice = { kind: 'openai' };

/** Replies of a hostile service, with the call that gets them. */
const hostile: Record<string, Attack> = {
  'a page of 25 MB': [search, () => filled('{"items":[', '{}', ']}', 25e6)],
  'a page of empty voices': [search, () => filled('{"items":[', '{}', ']}', 1.9e6)],
  'a page of numbers': [search, () => filled('{"items":[', '1', ']}', 1.9e6)],
  'a voice with wrong styles': [search, () => filled('{"items":[{"styles":[', '1', ']}]}', 1.9e6)],
  'a deep page': [search, () => json(`{"items":${'['.repeat(9e5)}${']'.repeat(9e5)}}`)],
  'a usage of empty days': [
    (client) => client.call(getVoiceUsage, dates),
    () => filled('{"usages":[', '{}', ']}', 1.9e6),
  ],
  'speech of lists': [speak, () => filled('[', '[]', ']', 25e6)],
  'speech with wrong phonemes': [
    speak,
    () => filled('{"audio_base64":"UklG","phonemes":{"symbols":[', '1', ']}}', 1.9e6),
  ],
  'OpenAI voices of 25 MB': [search, () => filled('{"voices":[', '"a"', ']}', 25e6), openai],
  'OpenAI speech of lists': [speak, () => filled('[', '[]', ']', 25e6), openai],
  'OpenAI speech of errors': [speak, () => filled('{"error":[', '{}', ']}', 25e6), openai],
  'OpenAI speech without end': [speak, () => audio(Buffer.alloc(33e6, 'RIFF')), openai],
};

/** Lists of voices without a voice. The usual names stand in for them. */
const empty: Record<string, Attack> = {
  'a list of empty voices': [search, () => filled('{"voices":[', '{}', ']}', 1.9e6), openai],
  'a list of numbers': [search, () => filled('[', '1', ']', 1.9e6), openai],
  'a deep list': [search, () => json(`{"data":${'['.repeat(9e5)}${']'.repeat(9e5)}}`), openai],
};

const attacked = <Result>(
  [, reply, upstream]: Attack,
  work: (client: Client) => Promise<Result>,
): Promise<Result> => {
  const answer = reply();
  return withService(() => answer, work, { upstream });
};

const failureOf = (attack: Attack): Promise<SpeechError> =>
  attacked(attack, (client) => rejection(attack[0](client)));

describe('a client of a hostile service', () => {
  /** Bytes of the heap after the last attack. To collect the garbage takes longer than an attack. */
  let heap = 0;
  before(async () => {
    // The first attacks load the code that all of them need.
    for (const attack of Object.values(hostile).slice(0, 2)) await failureOf(attack);
    heap = usedHeap();
  });

  for (const [name, attack] of Object.entries(hostile)) {
    it(`rejects ${name} with a message of at most 1 kB, and keeps no memory`, async () => {
      const before = heap;
      let peak = 0;
      const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().heapUsed)), 5);
      const error = await failureOf(attack).finally(() => clearInterval(timer));
      assert.equal(error.code, 'bad-reply');
      assert.equal(error.attempts, 1);
      assert.ok(Buffer.byteLength(error.message) <= 1000, error.message);
      heap = usedHeap();
      assert.ok(heap - before < 5e6);
      assert.ok(peak - before < 250e6, `${Math.round((peak - before) / 1e6)} MB`);
    });
  }

  for (const [name, attack] of Object.entries(empty)) {
    it(`lists the usual voices for ${name}, and keeps no memory`, async () => {
      const before = heap;
      const page = await attacked(attack, (client) => client.call(operations.listVoices, {}));
      assert.deepEqual([page.items.length, page.items[0]?.voice_id], [11, 'alloy']);
      heap = usedHeap();
      assert.ok(heap - before < 5e6);
    });
  }

  for (const line of ['\n', ' \r\n']) {
    it(`counts ${JSON.stringify(line)} of speech in JSON lines as JSON`, async () => {
      const body = Buffer.alloc(6e6, line);
      const reply = { headers: { 'content-type': 'application/x-ndjson' }, body };
      const stream = (client: Client) => client.call(streamSpeech, { ...speech, include_phonemes: true });
      const error = await failureOf([stream, () => reply]);
      assert.deepEqual([error.code, error.text?.key], ['bad-reply', 'reply-large']);
    });
  }

  it('lists at most five problems of a reply', async () => {
    const error = await failureOf([search, () => filled('{"items":[', '{"name":5}', ']}', 1000)]);
    assert.match(error.message, /items\.0\.voice_id: .*; items\.2\..*; …$/);
    assert.equal(error.message.match(/items\./g)?.length, 5);
  });

  it('reads only the beginning of an error reply without end, and retries by its status', () =>
    withService(
      () => ({ status: 503, headers: { 'content-type': 'text/html' }, body: Buffer.alloc(30e6, 'x') }),
      async (client, server) => {
        assert.equal((await rejection(client.call(operations.getCredits, {}))).code, 'service-failed');
        assert.equal(server.requests.length, 3);
      },
    ));
});
