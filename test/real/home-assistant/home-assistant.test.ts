import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { inspectAudio, z } from '@herald-speech/client';
import { parseWav } from '@herald-speech/client/audio';
import { freePort } from '../../support/net/free-port.js';
import { startTestService, type TestService } from '../../support/service/service.js';
import { runPython } from '../support/python.js';

const PROGRAM = path.resolve(__dirname, '../../../service/bin/herald-service.js');
const TEXT = 'The coffee is ready. The train leaves at ten past nine.';

const audio = z.object({
  extension: z.string(),
  audio: z.base64().transform((text) => Buffer.from(text, 'base64')),
});
const answer = z.object({
  steps: z.array(z.string()),
  title: z.string().nullable(),
  engine: z.string(),
  errors: z.unknown(),
  voices: z.array(z.object({ id: z.string(), name: z.string() })),
  spoken: z.array(audio),
  interrupted: z.array(z.object({ outcome: z.string(), seconds: z.number(), after: audio })),
});

/**
 * Messages that Home Assistant sends without their language, and the language of the voice that speaks them without a setting: that of
 * the text, or else one of its script.
 */
const messages: ReadonlyArray<readonly [text: string, spoken: string]> = [
  ['The washing machine has finished.', 'en'],
  ['Die Waschmaschine ist fertig.', 'en'],
  ['La lavadora ha terminado.', 'en'],
  ['洗濯が終わりました。', 'ja'],
  ['세탁이 끝났습니다.', 'ko'],
  ['Стиральная машина закончила работу.', 'ru'],
  ['Пральна машина закінчила роботу.', 'uk'],
  ['Пералнята приключи. Внимание, съобщение.', 'bg'],
  ['Το πλυντήριο τελείωσε.', 'el'],
  ['انتهت الغسالة من العمل.', 'ar'],
  ['वॉशिंग मशीन का काम पूरा हो गया।', 'hi'],
];

interface Wish {
  flags?: readonly string[];
  speeches?: ReadonlyArray<{ text: string; language?: string; voice?: string; format?: string }>;
  interruptions?: ReadonlyArray<{ signal: 'kill' | 'terminate'; text: string }>;
  isDiscovered?: boolean;
}

describe('Home Assistant Core 2024.3', function () {
  this.timeout(900_000);
  let service: TestService;
  let data: string;
  before(async () => {
    service = await startTestService();
    data = await mkdtemp(path.join(os.tmpdir(), 'herald-home-'));
  });
  after(async () => {
    await service.close();
    await rm(data, { recursive: true, force: true });
  });

  /** Adds a service to a new Home Assistant, and speaks there. */
  async function ask({ flags = [], speeches = [], interruptions = [], isDiscovered = false }: Wish) {
    const port = await freePort();
    const place = ['--port', '0', '--data', data, '--json', '--wyoming', `127.0.0.1:${port}`];
    const command = [process.execPath, PROGRAM, ...place, ...flags];
    const wanted = { command, port, speeches, interruptions, isDiscovered };
    return runPython(['home-assistant', 'speak.py'], wanted, answer);
  }

  /** Returns the samples of the default voice of a language over the native interface. */
  async function samplesOf(text: string, language: string): Promise<Buffer> {
    const search = await service.send('GET', `/v1/voices/search?language=${language}&page_size=10`);
    const { items } = z
      .object({ items: z.array(z.object({ voice_id: z.string() })) })
      .parse(await search.json());
    const body = { text, language: language.slice(0, 2) };
    const reply = await service.send('POST', `/v1/text-to-speech/${items[0]?.voice_id}`, body);
    return Buffer.from(parseWav(new Uint8Array(await reply.arrayBuffer())).data);
  }
  const samplesIn = (wav: Buffer): Buffer => Buffer.from(parseWav(new Uint8Array(wav)).data);

  it('adds the service in the dialog of the Wyoming integration, lists its voices in their order and speaks MP3', async () => {
    const { steps, engine, errors, voices, spoken } = await ask({
      speeches: [{ text: TEXT, language: 'en', format: 'mp3' }],
    });
    assert.deepEqual(steps, ['form', 'create_entry'], JSON.stringify(errors));
    assert.equal(engine, 'tts.herald');
    const kinds = voices.map(({ name }) => name.split(':')[0]);
    assert.deepEqual([...new Set(kinds)], ['Simple', 'Synthetic']);
    assert.ok(voices.some(({ name }) => name === 'Simple: Selma, female, American English'));
    const [{ audio, extension } = assert.fail('nothing was spoken')] = spoken;
    const { duration } = inspectAudio(new Uint8Array(audio));
    assert.ok(duration > 2 && duration < 8, `${duration} s of ${extension}`);
  });

  it('adds a discovered service with one press of a button', async () => {
    const { steps, title, errors } = await ask({ isDiscovered: true });
    assert.deepEqual(steps, ['zeroconf_confirm', 'create_entry'], JSON.stringify(errors));
    assert.equal(title, 'Herald');
  });

  it('speaks eleven languages without a chosen voice and without a setting, each with a voice of its language or script', async () => {
    const { spoken } = await ask({ speeches: messages.map(([text]) => ({ text })) });
    for (const [place, [text, language]] of messages.entries()) {
      const heard = samplesIn(spoken[place]?.audio ?? assert.fail(text));
      assert.ok(heard.equals(await samplesOf(text, language)), text);
    }
  });

  it('speaks German and Portuguese with the default voice of the setting', async () => {
    for (const [language, text] of [
      ['de', 'Die Waschmaschine ist fertig.'],
      ['pt-BR', 'A máquina de lavar terminou.'],
    ] as const) {
      const { spoken } = await ask({ flags: ['--voice', language], speeches: [{ text }] });
      assert.ok(
        samplesIn(spoken[0]?.audio ?? assert.fail()).equals(await samplesOf(text, language)),
        language,
      );
    }
  });

  it('speaks ten languages in a household whose default voice is German', async () => {
    const german = 'Die Waschmaschine ist fertig.';
    const others = messages.filter(([, language]) => language !== 'en');
    const wanted = [[german, 'de'] as const, ['Okay, Home Assistant.', 'de'] as const, ...others];
    const { spoken } = await ask({ flags: ['--voice', 'de'], speeches: wanted.map(([text]) => ({ text })) });
    for (const [place, [text, language]] of wanted.entries()) {
      const heard = samplesIn(spoken[place]?.audio ?? assert.fail(text));
      assert.ok(heard.equals(await samplesOf(text, language)), text);
    }
  });

  it('accepts en-GB, en_US and pt-BR as the language of an action', async () => {
    const languages = ['en-GB', 'en_US', 'pt-BR', 'en', 'de'];
    const { spoken } = await ask({ speeches: languages.map((language) => ({ text: 'Okay.', language })) });
    assert.equal(spoken.length, languages.length);
  });

  it('speaks with the voice of a language, also with a region, that an action names in place of a voice', async () => {
    const tags = ['de', 'en-GB', 'en_US', 'pt-BR', 'pt_PT'];
    const { spoken } = await ask({ speeches: tags.map((voice) => ({ text: 'Okay.', voice })) });
    for (const [place, tag] of tags.entries()) {
      const heard = samplesIn(spoken[place]?.audio ?? assert.fail(tag));
      assert.ok(heard.equals(await samplesOf('Okay.', tag.replace('_', '-'))), tag);
    }
  });

  it('speaks again after a kill and after a restart of the service in mid speech, and waits for neither', async () => {
    const text = `${TEXT} `.repeat(150);
    const { interrupted } = await ask({
      interruptions: [
        { signal: 'kill', text },
        { signal: 'terminate', text },
      ],
    });
    const expected = await samplesOf('The service is back.', 'en');
    for (const { outcome, seconds, after } of interrupted) {
      assert.match(outcome, /^No TTS from Herald/);
      assert.ok(seconds < 20, `${seconds} seconds`);
      assert.ok(samplesIn(after.audio).equals(expected));
    }
  });
});
