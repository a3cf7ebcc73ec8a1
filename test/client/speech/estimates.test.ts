import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createBudget, SpeechError } from '../../../client/index.js';
import { settingsOf } from '../../../client/api/options.js';
import { parseAudio } from '../../../client/audio/join.js';
import { AccountCalls } from '../../../client/calls/account.js';
import { createSpeech, predictDuration } from '../../../client/interface/operations.js';
import { predict } from '../../../client/speech/predict.js';
import type { SpeechService } from '../../../client/speech/service.js';
import { speak } from '../../../client/speech/speak.js';
import type { Features, Upstream, UpstreamConnection } from '../../../client/upstreams/upstream.js';
import { wavOf } from '../../support/audio-files.js';
import { rejection } from '../../support/rejection.js';

const features: Features = {
  operations: ['createSpeech', 'predictDuration'],
  fields: [],
  formats: ['wav'],
  maxTextLength: 300,
  estimates: true,
};

const request = { voice_id: 'v1', text: 'The washing machine has finished. '.repeat(20), language: 'en' };

/** Runs `work` with a service that predicts no durations. Each piece has two seconds, unless it fails. */
async function withService(
  work: (service: SpeechService, sent: string[]) => Promise<void>,
  { perDay = 1000, fails = false, requestsPerMinute = Infinity } = {},
): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'herald-estimates-'));
  const sent: string[] = [];
  const connection: UpstreamConnection = {
    async send(operation) {
      sent.push(operation.name);
      if (fails) throw new SpeechError('bad-request', 'refused');
      const audio = parseAudio(wavOf({ seconds: 2 }));
      const value = { audio: audio.bytes, format: 'wav', mime: 'audio/wav', duration: 2 };
      return { value: operation.response.parse(value) as never, audio, bytes: audio.bytes.length };
    },
    close: async () => undefined,
  };
  const upstream: Upstream = { features, identity: 'x', carries: false, open: () => connection };
  const settings = settingsOf({ url: '', apiKey: '', requestsPerMinute, attempts: 1 });
  const address = { url: 'http://127.0.0.1:1', apiKey: '' };
  const account = new AccountCalls(settings, { upstream, address, network: {} });
  const budget = createBudget({ file: path.join(folder, 'budget.json'), warn: assert.fail, perDay });
  try {
    await work({ account, voices, features, settings, cache: undefined, budget }, sent);
  } finally {
    await account.close();
    await rm(folder, { recursive: true });
  }
}

/** No voice has the name of another voice. */
const voices = { named: async () => undefined };

const used = async ({ budget }: SpeechService) => (await budget?.used())?.used;

describe('a service that predicts no durations', () => {
  it('has estimated durations, marked as such, without a request', () =>
    withService(async (service, sent) => {
      const { duration, chunks, estimated } = await predict(service, request);
      assert.equal(estimated, true);
      assert.ok(duration > 20 && duration < 60, `${duration} s`);
      assert.equal(chunks.length, 3);
      assert.deepEqual(sent, []);
    }));

  it('needs no place in the rate limit for an estimate', () =>
    withService(
      async ({ account }, sent) => {
        for (let call = 0; call < 20; call += 1) await account.send(predictDuration, request);
        await account.send(createSpeech, { ...request, text: 'Hello' });
        assert.deepEqual(sent, ['createSpeech']);
      },
      { requestsPerMinute: 1 },
    ));

  it('uses the measured audio for the budget in place of the estimate', () =>
    withService(async (service) => {
      await speak(service, request);
      assert.equal(await used(service), 6);
    }));

  it('is not asked to speak a text whose estimate exceeds the budget', () =>
    withService(
      async (service, sent) => {
        const error = await rejection(speak(service, request));
        assert.equal(error.code, 'over-budget');
        assert.ok((error.budget?.needed ?? 0) > 20);
        assert.deepEqual([sent, await used(service)], [[], 0]);
      },
      { perDay: 15 },
    ));

  it('gives the estimate back to the budget if it refuses the text', () =>
    withService(
      async (service) => {
        assert.equal((await rejection(speak(service, request))).code, 'bad-request');
        assert.equal(await used(service), 0);
      },
      { fails: true },
    ));

  it('refuses a lacking field before the budget and any request', () =>
    withService(async (service, sent) => {
      const error = await rejection(speak(service, { ...request, style: 'happy' }));
      assert.equal(error.code, 'not-supported');
      assert.match(error.message, /style: this service does not support it/);
      assert.deepEqual([sent, await used(service)], [[], 0]);
    }));
});
