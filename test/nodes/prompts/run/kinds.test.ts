import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { inspectAudio, z } from '@herald-speech/client';
import { type Flow, type FlowNode, speechNode, withFlow } from '../../../support/node-red/flow.js';
import { errorOf } from '../../../support/node-red/messages.js';
import { filesIn, inFolder, reportOf } from '../../../support/node-red/prompts.js';
import { type Relay, withRelay } from '../../../support/net/relay.js';
import { shareLocalService } from '../../../support/service/local-service.js';
import { startTestService, type TestService } from '../../../support/service/service.js';

/** A setting that neither service has. */
const LACKING = { 'voice_settings.similarity': '2' };

const table = [
  { text: 'Welcome to the museum.', filename: 'welcome.wav', format: 'wav-8000' },
  { text: 'The tour starts at ten.', filename: 'tour.mp3', format: 'mp3-64' },
  { text: 'This one cannot be.', filename: 'lacking.wav', format: 'wav-8000', ...LACKING },
];

const planned = z.object({
  plan: z.array(z.object({ filename: z.string(), state: z.string(), seconds: z.number() })),
});

/** Accounts of the local service, as other programs see it. */
const kinds: Record<string, { urlOf(service: TestService): string; account(host: string): object }> = {
  openai: {
    urlOf: ({ url }) => url,
    account: (host) => ({ service: 'openai', url: `http://${host}/v1` }),
  },
  wyoming: {
    urlOf: ({ wyomingUrl = '' }) => wyomingUrl,
    account: (host) => ({ service: 'wyoming', address: `tcp://${host}` }),
  },
};

for (const [kind, { urlOf, account }] of Object.entries(kinds))
  describe(`the prompts of an account of the kind ${kind}`, () => {
    shareLocalService();
    const former = process.env['HERALD_CACHE'];
    let service: TestService;
    before(async function () {
      process.env['HERALD_CACHE'] = await mkdtemp(path.join(os.tmpdir(), 'herald-cache-'));
      service = await startTestService({ wyoming: { host: '127.0.0.1', port: 0, account: 'local' } });
      // The speech process stays for all tests.
      const headers = { authorization: `Bearer ${service.key}` };
      const speech = { model: 'tts-1', input: 'Hello.', voice: 'alloy' };
      await service.send('POST', '/v1/audio/speech', speech, headers);
    });
    after(async () => {
      await service.close();
      await rm(process.env['HERALD_CACHE'] ?? '', { recursive: true, force: true });
      process.env['HERALD_CACHE'] = former;
    });

    const withPrompts = (work: (flow: Flow, relay: Relay, folder: string) => Promise<void>): Promise<void> =>
      inFolder((folder) =>
        withRelay(urlOf(service), (relay) => {
          const ofKind: FlowNode = {
            id: 'account',
            type: 'herald-account',
            fallback: 'none',
            language: 'en',
            attempts: '1',
            ...account(relay.host),
          };
          const prompts = speechNode('prompts', { folder, retry_attempts: '1' });
          return withFlow([ofKind, prompts], (flow) => work(flow, relay, folder), {
            credentials: { account: { apiKey: service.key } },
          });
        }),
      );
    const run = async (flow: Flow, payload: readonly object[], action = 'run') => {
      flow.send('node', { payload, action });
      return flow.out('done');
    };

    it('show their estimated seconds in the plan, which speaks nothing', () =>
      withPrompts(async (flow, { sent }, folder) => {
        const message = await run(flow, table.slice(0, 2), 'plan');
        const { plan } = planned.parse(message['prompts']);
        assert.deepEqual(
          plan.map(({ filename, state }) => [filename, state]),
          [
            ['welcome.wav', 'new'],
            ['tour.mp3', 'new'],
          ],
        );
        for (const { seconds } of plan) assert.ok(seconds > 0.5 && seconds < 5, `${seconds} s`);
        assert.doesNotMatch(sent(), /museum|tour/);
        assert.deepEqual(await filesIn(folder), []);
      }));

    it('have the wanted formats, and cost nothing in a second run', () =>
      withPrompts(async (flow, { sent }, folder) => {
        const rows = table.slice(0, 2);
        const first = reportOf(await run(flow, rows));
        assert.deepEqual([first.made, first.failed, first.wrong], [2, [], []]);
        const files = await Promise.all(rows.map(({ filename }) => readFile(path.join(folder, filename))));
        const facts = files.map((file) => inspectAudio(file));
        assert.deepEqual(
          facts.map(({ format, sampleRate }) => [format, format === 'wav' ? sampleRate : 0]),
          [
            ['wav', 8000],
            ['mp3', 0],
          ],
        );
        for (const { duration } of facts) assert.ok(duration > 0.5, `${duration} s`);
        assert.match(sent(), /museum/);
        const second = reportOf(await run(flow, rows));
        assert.deepEqual([second.made, second.unchanged], [0, 2]);
        assert.equal(sent(), '');
      }));

    it('come from the cache under another file name', () =>
      withPrompts(async (flow, { sent }) => {
        const text = 'The shop closes soon.';
        assert.equal(reportOf(await run(flow, [{ text, filename: 'shop.wav' }])).made, 1);
        assert.match(sent(), /shop/);
        const { made, cached, chargedSeconds } = reportOf(await run(flow, [{ text, filename: 'again.wav' }]));
        assert.deepEqual([made, cached, chargedSeconds], [1, 1, 0]);
        assert.doesNotMatch(sent(), /shop/);
      }));

    it('fail alone as "not-supported" for a setting that the service lacks, and are not sent', () =>
      withPrompts(async (flow, { sent }, folder) => {
        const report = reportOf(await run(flow, table));
        assert.deepEqual(
          report.failed.map(({ row, filename, code }) => [row, filename, code]),
          [[3, 'lacking.wav', 'not-supported']],
        );
        assert.deepEqual(await filesIn(folder), ['tour.mp3', 'welcome.wav']);
        const message = await flow.out('fatal');
        const error = errorOf(message);
        assert.equal(error.code, 'not-supported');
        assert.match(error.message, /similarity/);
        assert.deepEqual(message.payload, [table[2]]);
        assert.doesNotMatch(sent(), /cannot be/);
      }));

    it('are wrong for a voice that the service does not know, while the others are made', () =>
      withPrompts(async (flow, { sent }, folder) => {
        const nobody = { text: 'Nobody speaks this.', filename: 'nobody.wav', voice_id: 'no-such-voice' };
        const report = reportOf(await run(flow, [...table.slice(0, 1), nobody]));
        assert.deepEqual(await filesIn(folder), ['welcome.wav']);
        assert.deepEqual(
          report.wrong.map(({ row, filename }) => [row, filename]),
          [[2, 'nobody.wav']],
        );
        assert.match(errorOf(await flow.out('fatal')).message, /no-such-voice/);
        assert.doesNotMatch(sent(), /Nobody/);
      }));
  });
