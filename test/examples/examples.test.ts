import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { inspectAudio, parseWav, z } from '@herald-speech/client';
import { freePort } from '../support/net/free-port.js';
import { hostedAccount, KEY } from '../support/node-red/flow.js';
import { keepLocalService } from '../support/service/local-service.js';
import { audioOf, errorOf, speechOf } from '../support/node-red/messages.js';
import { refused, spoken, withServer } from '../support/net/scripted-server.js';
import { serving } from '../support/net/serve.js';
import { type Running, secondsOf, withExample } from './example.js';
import { until } from '../support/waiting.js';

/** Returns the duration in seconds of the first audio at a listen node. */
const secondsAt = async (flow: Running, id: string) => secondsOf(audioOf(await flow.first(id)));

/** The message of the example to the player. */
const playerCommand = z.strictObject({ command: z.string(), url: z.url(), seconds: z.number() });

/** Returns the text payload of a message. */
const textOf = (message: { payload?: unknown }) => z.string().parse(message.payload);

describe('examples with the local service', () => {
  keepLocalService();

  describe('first words', () => {
    it('speaks a sentence when the button is pressed', () =>
      withExample('first-words', async (flow) => {
        flow.press('fw-inject');
        assert.ok((await secondsAt(flow, 'fw-listen')) > 2);
        assert.deepEqual(flow.seen('fw-debug'), []);
      }));

    it('answers in the requested language or with the requested voice', () =>
      withExample('first-words', (flow) =>
        serving(flow.RED.httpNode, async (url) => {
          for (const query of [
            'text=Hallo&language=de',
            'text=Hallo&voice_id=de-anna',
            'text=Hola&language=es',
          ]) {
            const reply = await fetch(`${url}/say?${query}`);
            assert.equal(reply.status, 200, query);
            assert.ok(secondsOf(Buffer.from(await reply.arrayBuffer())) > 0.2, query);
          }
          const wrong = await fetch(`${url}/say?text=Hallo&voice_id=rms&language=de`);
          assert.equal(wrong.status, 400);
          assert.match(
            await wrong.text(),
            /Russell speaks only English\. Choose a voice that speaks German\./,
          );
        }),
      ));

    it('answers a request with audio, and a request without text with an error', () =>
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
        assert.ok((await secondsAt(flow, 'doorbell-listen')) > 1);
        assert.deepEqual([flow.seen('doorbell-wait'), flow.seen('doorbell-log')], [[], []]);
      }));
  });

  describe('low-credit warning', () => {
    it('shows the balance, and is silent if the service has no credits', () =>
      withExample('low-credit-warning', async (flow) => {
        flow.press('low-credit-check');
        await flow.first('low-credit-none');
        assert.deepEqual(flow.seen('low-credit-shown'), []);
        assert.deepEqual(flow.seen('low-credit-changed'), []);
        assert.deepEqual(flow.seen('low-credit-words'), []);
      }));

    it('plays the warning when the try button is pressed', () =>
      withExample('low-credit-warning', async (flow) => {
        flow.press('low-credit-try');
        assert.ok((await secondsAt(flow, 'low-credit-listen')) > 2);
      }));

    it('warns once with the local service when a hosted account is low on credits', () =>
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
              assert.ok((await secondsAt(flow, 'low-credit-listen')) > 2);
              assert.match(textOf(await flow.first('low-credit-speak')), /^Only 10 credits are left/);
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
    const NAMES = ['HOME', 'TMPDIR', 'FOLDER'];
    const former = new Map(NAMES.map((name) => [name, process.env[name]]));
    let [home, temporary] = ['', ''];
    beforeEach(async () => {
      home = await mkdtemp(path.join(os.tmpdir(), 'herald-home-'));
      temporary = await mkdtemp(path.join(os.tmpdir(), 'herald-temporary-'));
      Object.assign(process.env, { HOME: home, TMPDIR: temporary });
    });
    afterEach(async () => {
      for (const [name, value] of former) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      for (const folder of [home, temporary]) await rm(folder, { recursive: true, force: true });
    });

    it('creates a temporary folder with a complete file for each row, and nothing in the home folder', () =>
      withExample('ivr-prompts-from-a-table', async (flow) => {
        flow.press('ivr-press');
        const folder = path.join(temporary, 'herald-prompts');
        assert.equal(textOf(await flow.first('ivr-report')), `5 of 5 prompts are in ${folder}`);
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
        assert.deepEqual(await readdir(home), []);
      }));

    it('uses the folder of the environment variable FOLDER, counts failed files and reports the reason', async () => {
      const folder = path.join(temporary, 'mine');
      process.env['FOLDER'] = folder;
      await mkdir(path.join(folder, 'hold.wav'), { recursive: true });
      await withExample('ivr-prompts-from-a-table', async (flow) => {
        flow.press('ivr-press');
        assert.equal(textOf(await flow.first('ivr-report')), `4 of 5 prompts are in ${folder}`);
        assert.match(errorOf(await flow.first('ivr-error')).message, /hold\.wav/);
        assert.equal((await readdir(folder)).length, 6);
      });
    });
  });

  describe('clone a voice and use it', () => {
    const listed = z.array(z.object({ name: z.string(), voice_id: z.string() }));
    const sampled = z.object({ sample: z.object({ seconds: z.number() }), warnings: z.array(z.string()) });

    it('clones a voice that speaks, appears in the list and can be deleted', () =>
      withExample('clone-a-voice-and-use-it', async (flow) => {
        flow.press('clone-press');
        const played = await flow.first('clone-listen');
        assert.ok(secondsOf(audioOf(played)) > 2);
        const cloned = await flow.first('clone-speak');
        const { sample, warnings } = sampled.parse(cloned['speech']);
        assert.ok(sample.seconds > 5);
        assert.match(warnings.join(), /approximation/);
        assert.equal(speechOf(played).voice_id, cloned['voice_id']);

        flow.press('clone-press-list');
        const [mine] = listed.parse((await flow.first('clone-voices')).payload);
        assert.deepEqual(mine, { name: 'Herald example', voice_id: cloned['voice_id'] });

        flow.press('clone-press-delete');
        await flow.at('clone-deleted');
        flow.press('clone-press-list');
        const [, after] = await flow.at('clone-voices', 2);
        assert.deepEqual(after?.payload, []);
      }));
  });

  describe('retries in the node', () => {
    it('announces the delivery after two failed attempts', () =>
      withServer(
        (_request, index) => (index < 2 ? refused(503, { 'retry-after': '1' }) : spoken()),
        ({ url, requests }) =>
          withExample(
            'retries-in-the-node',
            async (flow) => {
              flow.press('retries-press');
              assert.ok(audioOf(await flow.first('retries-listen')).length > 44);
              assert.deepEqual([requests.length, flow.seen('retries-error').length], [3, 0]);
            },
            {
              other: { 'retries-account': { ...hostedAccount(url), id: 'retries-account' } },
              credentials: { 'retries-account': { apiKey: KEY } },
            },
          ),
        undefined,
        { describesVoices: false },
      ));
  });

  describe('German announcement', () => {
    for (const button of ['german-washing', 'german-weather']) {
      it(`speaks German when ${button} is pressed`, () =>
        withExample('german-announcement', async (flow) => {
          flow.press(button);
          const played = await flow.first('german-listen');
          assert.ok(secondsOf(audioOf(played)) > 2);
          assert.equal(speechOf(played).language, 'de');
        }));
    }
  });

  describe('code and date', () => {
    it('says a code, a date and a number in their ways at 8 kHz, and the captions keep the figures', () =>
      withExample('telephony/code-and-date', async (flow) => {
        flow.press('code-press');
        const { text, captions } = speechOf(await flow.first('code-captions'));
        const audio = audioOf(await flow.first('code-listen'));
        assert.equal(
          text,
          'Your code is 471108. It is valid until 4/3/2026. Do you need help? Call 0800 123 456.',
        );
        assert.match(captions, /471108.*4\/3\/2026/s);
        assert.equal(parseWav(audio).format.sampleRate, 8000);
        // Six digits, ten digits and a date are longer than "four hundred seventy-one thousand one hundred eight".
        assert.ok(secondsOf(audio) > 10, `${secondsOf(audio)} s`);
        assert.deepEqual(flow.seen('code-error'), []);
      }));
  });

  describe('player by URL', () => {
    it('sends a command with a URL that plays the announcement', () =>
      withExample('player-by-url', (flow) =>
        serving(flow.RED.httpNode, async (url) => {
          flow.press('player-press');
          const { payload } = await flow.first('player-send');
          const { command, url: address, seconds } = playerCommand.parse(payload);
          assert.equal(command, 'play');
          const reply = await fetch(url + new URL(address).pathname);
          assert.equal(reply.headers.get('content-type'), 'audio/mpeg');
          const duration = inspectAudio(new Uint8Array(await reply.arrayBuffer())).duration;
          assert.ok(Math.abs(duration - seconds) < 0.2, `${duration} s and ${seconds} s`);
        }),
      ));
  });

  describe('voice search to a list', () => {
    it('lists the local voices and plays a sample of the first one', () =>
      withExample('voice-search-to-a-list', async (flow) => {
        flow.press('voices-press');
        const lines = textOf(await flow.first('voices-lines'))
          .trim()
          .split('\n');
        assert.ok(lines.length >= 5);
        for (const line of lines) assert.match(line, /^.+: \w+, [\w-]+; styles: \w+/);
        const sample = await fetch(textOf(await flow.first('voices-listen')));
        assert.ok(secondsOf(Buffer.from(await sample.arrayBuffer())) > 0.5);
        assert.equal(flow.seen('voices-listen').length, 1);
      }));
  });

  describe('captions beside audio', () => {
    it('writes a WAV file and captions beside it, and shows them', () =>
      withExample('captions-beside-audio', async (flow) => {
        flow.press('captions-press');
        const { filename = '', captionsFile = '' } = speechOf(await flow.first('captions-read'));
        try {
          assert.deepEqual(
            [filename, captionsFile].map((file) => path.basename(file)),
            ['herald-story.wav', 'herald-story.vtt'],
          );
          assert.ok(secondsOf(await readFile(filename)) > 5);
          const captions = textOf(await flow.first('captions-text'));
          assert.match(captions, /^WEBVTT\n\n00:00:0[1-9].* --> .*\nThe tour starts at the old gate\./);
          assert.deepEqual(flow.seen('captions-error'), []);
        } finally {
          for (const file of [filename, captionsFile]) await rm(file, { force: true });
        }
      }));
  });

  describe('long text', () => {
    // Two syntheses of more than a minute of audio.
    it('plays the story by URL, with progress, captions and predicted duration', () =>
      withExample('long-text', (flow) =>
        serving(flow.RED.httpNode, async (url) => {
          flow.press('long-text-press');
          // Waits for the first piece, so that the next wait needs less time.
          await flow.at('long-text-progress', 7);
          const spoken = await flow.first('long-text-listen');
          const reply = await fetch(url + new URL(textOf(spoken)).pathname);
          const seconds = secondsOf(Buffer.from(await reply.arrayBuffer()));
          const { duration, chunks, captions } = speechOf(spoken);
          assert.ok(Math.abs(seconds - duration) < 0.01);
          // A piece has one cue or more.
          assert.ok((captions.match(/ --> /g)?.length ?? 0) >= chunks.length);
          assert.equal(speechOf(await flow.first('long-text-captions')).captions, captions);
          const predicted = z.number().parse((await flow.first('long-text-seconds')).payload);
          assert.ok(Math.abs(predicted / seconds - 1) < 0.3, `${predicted} s for ${seconds} s`);
          const progress = flow.seen('long-text-progress').map(({ status }) => JSON.stringify(status));
          assert.ok(progress.some((text) => text.includes(`/${chunks.length}`)));
        }),
      ));
  });

  describe('usage report', () => {
    it('speaks the minutes used and lists them by voice', () =>
      withExample('usage-report', async (flow) => {
        flow.press('usage-press-total');
        assert.ok((await secondsAt(flow, 'usage-listen')) > 2);
        assert.match(textOf(await flow.first('usage-speak')), /^In the last thirty days, [\d.]+ minutes/);
        flow.press('usage-press-voices');
        assert.match(textOf(await flow.first('usage-lines')), /^\d{4}-\d\d-\d\d {2}rms: [\d.]+ minutes$/m);
      }));
  });

  describe('house announcements', () => {
    const textsAt = (flow: Running, id: string) =>
      flow.seen(id).map((message) =>
        speechOf(message)
          .chunks.map(({ text }) => text.trim())
          .join(' '),
      );

    it('speaks simultaneous announcements by priority', () =>
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

    it('speaks a smoke alarm in place of all waiting announcements', () =>
      withExample('house-announcements', async (flow) => {
        flow.press('house-busy');
        await flow.at('house-speak', 4);
        flow.press('house-smoke');
        await until(() => flow.seen('house-listen').length + flow.seen('house-dropped').length === 5);
        assert.equal(textsAt(flow, 'house-listen').at(-1), 'Smoke in the kitchen! Please leave the house.');
        assert.ok(flow.seen('house-dropped').length > 0);
        for (const message of flow.seen('house-dropped')) assert.equal(errorOf(message).code, 'superseded');
      }));

    it('says good morning', () =>
      withExample('house-announcements', async (flow) => {
        flow.press('house-morning');
        assert.ok((await secondsAt(flow, 'house-listen')) > 1);
      }));
  });

  // Last, because each change of the ports restarts the service.
  describe('Wyoming server', () => {
    it('speaks over the Wyoming port of the local service when each button is pressed', async () => {
      const [port, wyoming] = [await freePort(), await freePort()];
      const other = {
        'wyoming-server': { programsPort: `${port}`, wyomingPort: `${wyoming}` },
        'wyoming-account': { address: `tcp://127.0.0.1:${wyoming}` },
      };
      await withExample(
        'wyoming-server',
        async (flow) => {
          for (const [index, button] of ['wyoming-washing', 'wyoming-weather'].entries()) {
            flow.press(button);
            const message = (await flow.at('wyoming-listen', index + 1))[index];
            assert.ok(message !== undefined && secondsOf(audioOf(message)) > 1, button);
          }
          assert.deepEqual(flow.seen('wyoming-error'), []);
        },
        { other },
      );
    });
  });
});
