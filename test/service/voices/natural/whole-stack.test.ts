import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createClient, inspectAudio, operations } from '@herald-speech/client';
import type { ServiceOptions } from '@herald-speech/local-service';
import { installStub } from '../../../support/natural/installed-stub.js';
import { rejection } from '../../../support/rejection.js';
import {
  openAccount,
  startTestService,
  type TestService,
  withLedger,
} from '../../../support/service/service.js';
import { hasEnded, watchingProcesses } from '../../../support/service/service-package.js';
import { until } from '../../../support/waiting.js';

const GERMAN = 'de_DE-stub-medium';
const SPANISH = 'es_ES-stub-low';
const ENDLESS = 'de_DE-endless-high';

describe('natural voices in the service', () => {
  let voices: string;
  before(async () => {
    voices = await mkdtemp(path.join(os.tmpdir(), 'herald-voices-'));
    await installStub(voices, { name: GERMAN });
    await installStub(voices, { name: SPANISH, sampleRate: 16_000, espeakVoice: 'es' });
    await installStub(voices, { name: ENDLESS, fault: 'hang' });
  });
  after(() => rm(voices, { recursive: true }));

  const withService = async (options: ServiceOptions, work: (service: TestService) => Promise<void>) => {
    const service = await startTestService({ voices, ...options });
    try {
      await work(service);
    } finally {
      await service.close();
    }
  };
  const speak = (service: TestService, voice: string, language: string, text = 'Taxi.') =>
    service.send('POST', `/v1/text-to-speech/${voice}`, { text, language });
  const isSpeech = async (reply: Response) => {
    assert.equal(reply.status, 200, reply.status === 200 ? '' : await reply.text());
    assert.ok(inspectAudio(new Uint8Array(await reply.arrayBuffer())).duration > 0.2);
  };

  describe('in a service that runs', () => {
    let service: TestService;
    let keys: { rich: string; poor: string };
    before(async () => {
      const first = await startTestService();
      await first.stop();
      keys = await withLedger(first.data, (ledger) => ({
        rich: openAccount(ledger, 'rich', 'pro', 100),
        poor: openAccount(ledger, 'poor', 'pro', 0),
      }));
      const running = await startTestService({
        voices,
        speech: { size: 2, timeLimit: 60_000, idleTimeout: 3000, warmUp: false },
        data: first.data,
      });
      // `first.close` removes the data folder.
      service = { ...running, close: async () => (await running.close(), first.close()) };
    });
    after(() => service.close());

    it('speak in parallel with other voices and in several languages, and again after the voice engines have ended', () =>
      watchingProcesses(async (processes) => {
        const wanted = [
          [GERMAN, 'de'],
          [SPANISH, 'es'],
          ['rms', 'en'],
          ['de-anna', 'de'],
        ] as const;
        // Each reply is read at once: the service closes a connection whose reply was not read for 5 s.
        await Promise.all(
          [...wanted, ...wanted].map(async ([voice, language]) =>
            isSpeech(await speak(service, voice, language)),
          ),
        );
        assert.ok(processes.length > 0);
        await until(() => processes.every(hasEnded));
        await isSpeech(await speak(service, GERMAN, 'de'));
      }));

    it('cost the delivered seconds, and nothing without credits', async () => {
      const body = { text: 'Taxi.', language: 'de' };
      const as = (key: string) => ({ 'x-sup-api-key': key });
      const reply = await service.send('POST', `/v1/text-to-speech/${GERMAN}`, body, as(keys.rich));
      const charged = Number(reply.headers.get('x-audio-length'));
      const credits = await service.send('GET', '/v1/credits', undefined, as(keys.rich));
      const { balance } = operations.getCredits.response.parse(await credits.json());
      assert.ok(charged > 0.1);
      assert.ok(Math.abs((balance ?? 0) - (100 - charged)) < 0.001);
      const refused = await service.send('POST', `/v1/text-to-speech/${GERMAN}`, body, as(keys.poor));
      assert.equal(refused.status, 402);
    });

    it('name the command that installs a missing voice in the error of the client', async () => {
      const client = createClient({ url: service.url, apiKey: service.key });
      const name = 'fr_FR-siwis-medium';
      const error = await rejection(client.speak({ voice_id: name, text: 'Bonjour.', language: 'fr' }));
      assert.equal(error.code, 'not-found');
      assert.match(error.message, new RegExp(`run: herald-service voices install ${name}$`));
      await client.close();
    });

    it('come first in the searches of the client, with their fields', async () => {
      const client = createClient({ url: service.url, apiKey: service.key });
      const { items } = await client.call(operations.searchVoices, { language: 'es', page_size: 10 });
      const [first, second] = items;
      assert.deepEqual([first?.voice_id, first?.natural, first?.quality], [SPANISH, true, 'low']);
      assert.deepEqual([second?.natural, second?.quality], [undefined, undefined]);
      await client.close();
    });
  });

  it('give way to a simple voice if they are too slow, and get a 503 if the queue is full, and the service goes on', () =>
    withService({ speech: { size: 1, maxQueued: 1, timeLimit: 3000, warmUp: false } }, async (service) => {
      // A busy computer may need more than one attempt to start a process within the limit.
      const goesOn = () => until(async () => (await speak(service, 'de-anna', 'de')).status === 200);
      await goesOn();
      const replies = await Promise.all([1, 2, 3].map(() => speak(service, ENDLESS, 'de')));
      const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
      assert.deepEqual(statuses, [200, 200, 503]);
      const standsIn = replies.filter(({ headers }) => headers.has('x-voice-fallback'));
      assert.equal(standsIn.length, 2);
      await goesOn();
    }));
});
