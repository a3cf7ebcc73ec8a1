import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { z } from '@herald-speech/client';
import { hostedAccount, KEY, until } from '../support/flow.js';
import { keepLocalService } from '../support/local-service.js';
import { audioOf, errorOf, speechOf } from '../support/messages.js';
import { withServer } from '../support/scripted-server.js';
import { serving } from '../support/serve.js';
import { type Running, secondsOf, withExample } from './example.js';

/** Seconds of what the listen node of an example got first. */
const heardAt = async (flow: Running, id: string) => secondsOf(audioOf(await flow.first(id)));

/** The words of a message. */
const wordsOf = (message: { payload?: unknown }) => z.string().parse(message.payload);

describe('the examples on this machine', () => {
  keepLocalService();

  describe('first words', () => {
    it('speaks a sentence when the button is pressed', () =>
      withExample('first-words', async (flow) => {
        flow.press('fw-inject');
        assert.ok((await heardAt(flow, 'fw-listen')) > 2);
        assert.deepEqual(flow.seen('fw-debug'), []);
      }));

    it('answers a request with audio, and one without a text with what is wrong', () =>
      withExample('first-words', (flow) =>
        serving(flow.RED.httpNode, async (url) => {
          const reply = await fetch(`${url}/say?text=Hello`);
          assert.deepEqual([reply.status, reply.headers.get('content-type')], [200, 'audio/wav']);
          assert.ok(secondsOf(Buffer.from(await reply.arrayBuffer())) > 0.2);
          const wrong = await fetch(`${url}/say`);
          assert.equal(wrong.status, 400);
          assert.match(await wrong.text(), /text is missing/);
        }),
      ));
  });

  describe('doorbell with retry', () => {
    it('announces the doorbell', () =>
      withExample('doorbell-with-retry', async (flow) => {
        flow.press('doorbell-press');
        assert.ok((await heardAt(flow, 'doorbell-listen')) > 1);
        assert.deepEqual([flow.seen('doorbell-wait'), flow.seen('doorbell-log')], [[], []]);
      }));
  });

  describe('low-credit warning', () => {
    it('shows the balance, and is silent where none is kept', () =>
      withExample('low-credit-warning', async (flow) => {
        flow.press('low-credit-check');
        assert.equal((await flow.first('low-credit-shown')).payload, null);
        await flow.at('low-credit-low');
        assert.deepEqual(flow.seen('low-credit-words'), []);
      }));

    it('is heard as if the balance were low', () =>
      withExample('low-credit-warning', async (flow) => {
        flow.press('low-credit-try');
        assert.ok((await heardAt(flow, 'low-credit-listen')) > 2);
      }));

    it('warns once on this machine when the credits of a hosted account become low', () =>
      withServer(
        () => ({ body: { balance: 10 } }),
        ({ url }) =>
          withExample(
            'low-credit-warning',
            async (flow) => {
              for (const times of [1, 2]) {
                flow.press('low-credit-check');
                await flow.at('low-credit-changed', times);
              }
              assert.ok((await heardAt(flow, 'low-credit-listen')) > 2);
              assert.match(wordsOf(await flow.first('low-credit-speak')), /^Only 10 credits are left/);
              assert.equal(flow.seen('low-credit-words').length, 1);
            },
            {
              more: [hostedAccount(url)],
              credentials: { account: { apiKey: KEY } },
              other: { 'low-credit-balance': { account: 'account' } },
            },
          ),
      ));
  });

  describe('IVR prompts from a table', () => {
    const former = process.env['HOME'];
    let home = '';
    beforeEach(async () => {
      home = await mkdtemp(path.join(os.tmpdir(), 'herald-home-'));
      process.env['HOME'] = home;
    });
    afterEach(async () => {
      if (former === undefined) delete process.env['HOME'];
      else process.env['HOME'] = former;
      await rm(home, { recursive: true, force: true });
    });

    it('makes the folder, and a whole file for each row', () =>
      withExample('ivr-prompts-from-a-table', async (flow) => {
        flow.press('ivr-press');
        const folder = path.join(home, 'herald-prompts');
        assert.equal(wordsOf(await flow.first('ivr-report')), `5 of 5 prompts are in ${folder}`);
        const files = await readdir(folder);
        assert.deepEqual(files.sort(), [
          'closed.wav',
          'goodbye.wav',
          'hold.wav',
          'menu.wav',
          'prompts.csv',
          'welcome.wav',
        ]);
        for (const file of files.filter((name) => name.endsWith('.wav'))) {
          assert.ok(secondsOf(await readFile(path.join(folder, file))) > 1, file);
        }
      }));

    it('counts what could not be written, and says why', () =>
      withExample('ivr-prompts-from-a-table', async (flow) => {
        await mkdir(path.join(home, 'herald-prompts/hold.wav'), { recursive: true });
        flow.press('ivr-press');
        assert.match(wordsOf(await flow.first('ivr-report')), /^4 of 5 prompts/);
        assert.match(errorOf(await flow.first('ivr-error')).message, /hold\.wav/);
      }));
  });

  describe('clone a voice and use it', () => {
    const listed = z.array(z.object({ name: z.string(), voice_id: z.string() }));
    const sampled = z.object({ sample: z.object({ seconds: z.number() }), warnings: z.array(z.string()) });

    it('makes a voice of a good sample, which speaks, is listed, and is tidied up', () =>
      withExample('clone-a-voice-and-use-it', async (flow) => {
        flow.press('clone-press');
        const heard = await flow.first('clone-listen');
        assert.ok(secondsOf(audioOf(heard)) > 2);
        const made = await flow.first('clone-speak');
        const { sample, warnings } = sampled.parse(made['speech']);
        assert.ok(sample.seconds > 5);
        assert.deepEqual(warnings, []);
        assert.equal(speechOf(heard).voice_id, made['voice_id']);

        flow.press('clone-press-list');
        const [mine] = listed.parse((await flow.first('clone-voices')).payload);
        assert.deepEqual(mine, { name: 'Herald example', voice_id: made['voice_id'] });

        flow.press('clone-press-delete');
        await flow.at('clone-deleted');
        flow.press('clone-press-list');
        const [, after] = await flow.at('clone-voices', 2);
        assert.deepEqual(after?.payload, []);
      }));
  });

  describe('voice search to a list', () => {
    it('lists the voices of this machine, and plays a sample of the first', () =>
      withExample('voice-search-to-a-list', async (flow) => {
        flow.press('voices-press');
        const lines = wordsOf(await flow.first('voices-lines'))
          .trim()
          .split('\n');
        assert.ok(lines.length >= 5);
        for (const line of lines) assert.match(line, /^.+: \w+, [\w-]+; styles: \w+/);
        const sample = await fetch(wordsOf(await flow.first('voices-listen')));
        assert.ok(secondsOf(Buffer.from(await sample.arrayBuffer())) > 0.5);
        assert.equal(flow.seen('voices-listen').length, 1);
      }));
  });

  describe('long text', function () {
    // More than a minute of audio, made twice.
    this.timeout(60_000);

    it('tells the story by URL, with its progress, captions and length', () =>
      withExample('long-text', (flow) =>
        serving(flow.RED.httpNode, async (url) => {
          flow.press('long-text-press');
          // A first piece is done: what is left takes less patience.
          await flow.at('long-text-progress', 7);
          const told = await flow.first('long-text-listen');
          const reply = await fetch(url + new URL(wordsOf(told)).pathname);
          const seconds = secondsOf(Buffer.from(await reply.arrayBuffer()));
          const { duration, chunks, captions } = speechOf(told);
          assert.ok(Math.abs(seconds - duration) < 0.01);
          assert.equal(captions.match(/ --> /g)?.length, chunks.length);
          assert.equal(speechOf(await flow.first('long-text-captions')).captions, captions);
          const predicted = z.number().parse((await flow.first('long-text-seconds')).payload);
          assert.ok(Math.abs(predicted / seconds - 1) < 0.3, `${predicted} s for ${seconds} s`);
          const progress = flow.seen('long-text-progress').map(({ status }) => JSON.stringify(status));
          assert.ok(progress.some((text) => text.includes(`/${chunks.length}`)));
        }),
      ));
  });

  describe('usage report', () => {
    it('says how much was spoken, and lists it by voice', () =>
      withExample('usage-report', async (flow) => {
        flow.press('usage-press-total');
        assert.ok((await heardAt(flow, 'usage-listen')) > 2);
        assert.match(wordsOf(await flow.first('usage-speak')), /^In the last thirty days, [\d.]+ minutes/);
        flow.press('usage-press-voices');
        assert.match(wordsOf(await flow.first('usage-lines')), /^\d{4}-\d\d-\d\d {2}rms: [\d.]+ minutes$/m);
      }));
  });

  describe('house announcements', () => {
    const textsAt = (flow: Running, id: string) =>
      flow.seen(id).map((message) =>
        speechOf(message)
          .chunks.map(({ text }) => text.trim())
          .join(' '),
      );

    it('speaks what comes at once in the order of its importance', () =>
      withExample('house-announcements', async (flow) => {
        flow.press('house-busy');
        for (const message of await flow.at('house-listen', 4)) assert.ok(secondsOf(audioOf(message)) > 0.5);
        assert.deepEqual(textsAt(flow, 'house-listen'), [
          'There is water on the floor of the cellar!',
          'The window in the bedroom is open, and it is raining.',
          'The washing machine is done.',
          'It is half past six.',
        ]);
      }));

    it('speaks a smoke alarm instead of all that is not spoken yet', () =>
      withExample('house-announcements', async (flow) => {
        flow.press('house-busy');
        await flow.at('house-speak', 4);
        flow.press('house-smoke');
        await until(() => flow.seen('house-listen').length + flow.seen('house-dropped').length === 5);
        assert.equal(textsAt(flow, 'house-listen').at(-1), 'Smoke in the kitchen! Please leave the house.');
        assert.ok(flow.seen('house-dropped').length > 0);
        for (const message of flow.seen('house-dropped')) assert.equal(errorOf(message).code, 'aborted');
      }));

    it('says good morning', () =>
      withExample('house-announcements', async (flow) => {
        flow.press('house-morning');
        assert.ok((await heardAt(flow, 'house-listen')) > 1);
      }));
  });
});
