import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createClient, inspectAudio } from '@herald-speech/client';
import { installStub } from '../../../support/natural/installed-stub.js';
import { startTestService, type TestService } from '../../../support/service/service.js';
import { samplesOf, typesOf, WyomingClient } from '../../wyoming/support.js';

/** Languages that no model of the interface lists, with eSpeak's voice and a sentence. */
const SENTENCES: [language: string, name: string, espeakVoice: string, text: string][] = [
  ['zh', 'zh_CN-stub-medium', 'cmn', '门开着，洗衣机好了。'],
  ['no', 'no_NO-stub-medium', 'nb', 'Vaskemaskinen er ferdig.'],
  ['ca', 'ca_ES-stub-medium', 'ca', 'La rentadora ha acabat.'],
  ['fa', 'fa_IR-stub-medium', 'fa', 'ماشین لباسشویی تمام شد.'],
];

describe('a natural voice in a language that the interface does not name', () => {
  let voices: string;
  let service: TestService;
  before(async () => {
    voices = await mkdtemp(path.join(os.tmpdir(), 'herald-voices-'));
    for (const [, name, espeakVoice] of SENTENCES) await installStub(voices, { name, espeakVoice });
    service = await startTestService({ voices, wyoming: { host: '127.0.0.1', port: 0, account: 'local' } });
  });
  after(async () => {
    await service.close();
    await rm(voices, { recursive: true });
  });

  // One language has all requests: the others differ only in their name, their voice of eSpeak and their text.
  for (const [language, name, , text] of SENTENCES.slice(0, 1)) {
    it(`speaks ${language} for a client that names only the language, with the speed and the duration of the request`, async () => {
      const client = createClient({ url: service.url, apiKey: service.key });
      const choice = await client.complete({ language });
      assert.equal(choice.voice_id, name);
      const length = async (voice_settings: { speed?: number; duration?: number }) => {
        const { audio } = await client.speak({ ...choice, text, voice_settings });
        return inspectAudio(audio).duration;
      };
      assert.ok((await length({ speed: 0.5 })) > 1.6 * (await length({})));
      assert.ok(Math.abs((await length({ duration: 4 })) - 4) < 0.1);
      await client.close();
    });

    it(`speaks ${language} over Wyoming and the OpenAI API, by its name and by the language`, async () => {
      for (const voice of [{ name }, { language }]) {
        const client = new WyomingClient(String(service.wyomingUrl));
        const events = await client.send({ type: 'synthesize', data: { text, voice } }).rest();
        assert.deepEqual(typesOf(events), ['audio-start', 'audio-chunk', 'audio-stop']);
        assert.ok(samplesOf(events).length > 20_000);
      }
      for (const voice of [name, language]) {
        const body = JSON.stringify({
          model: 'tts-1',
          input: text,
          voice,
          response_format: 'wav',
          stream: false,
        });
        const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
        const reply = await fetch(`${service.url}/v1/audio/speech`, { method: 'POST', body, headers });
        assert.equal(reply.status, 200, `${voice}: ${reply.ok ? '' : await reply.text()}`);
        assert.ok(inspectAudio(new Uint8Array(await reply.arrayBuffer())).duration > 0.4);
      }
    });
  }

  for (const [language, name, , text] of SENTENCES.slice(1)) {
    it(`speaks ${language} for a client that names only the language, and over Wyoming`, async () => {
      const client = createClient({ url: service.url, apiKey: service.key });
      const choice = await client.complete({ language });
      assert.equal(choice.voice_id, name);
      const { audio } = await client.speak({ ...choice, text });
      assert.ok(inspectAudio(audio).duration > 0.4);
      await client.close();
      const wyoming = new WyomingClient(String(service.wyomingUrl));
      const events = await wyoming.send({ type: 'synthesize', data: { text, voice: { language } } }).rest();
      assert.deepEqual(typesOf(events), ['audio-start', 'audio-chunk', 'audio-stop']);
      assert.ok(samplesOf(events).length > 20_000);
    });
  }

  it('has a sample for each style, which names its models', async () => {
    const reply = await service.send('GET', '/v1/voices/zh_CN-stub-medium');
    const { models, samples } = Object(await reply.json());
    assert.deepEqual(models, ['main_speech_2', 'main_speech_2_flash']);
    const sample = await fetch(samples[0].url);
    assert.ok(inspectAudio(new Uint8Array(await sample.arrayBuffer())).duration > 0.5);
  });

  it('speaks Norwegian for the codes of its written forms', async () => {
    const client = new WyomingClient(String(service.wyomingUrl));
    const voice = { language: 'nb-NO' };
    const events = await client.send({ type: 'synthesize', data: { text: 'Hei.', voice } }).rest();
    assert.deepEqual(typesOf(events), ['audio-start', 'audio-chunk', 'audio-stop']);
  });
});
