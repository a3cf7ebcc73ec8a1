import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describeWith } from '../../../../support/programs/describe-with.js';
import { installStub } from '../../../../support/natural/installed-stub.js';
import { neuralProcesses } from '../../../../support/natural/neural-processes.js';
import { samplesOf, startTestService, type TestService } from '../../../../support/service/service.js';
import { idsHeardIn } from '../../../../support/natural/stub-voice.js';
import { pausesIn } from './support.js';
import { until } from '../../../../support/waiting.js';

const TEXTS = { de: 'Guten Tag.', en: 'Hello, world!', fr: 'Bonjour.' };
const voiceOf = (language: string) => `${language}_XX-stub-medium`;

describeWith(['ps'], 'a service with natural voices', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'herald-natural-'));
  const voices = path.join(root, 'voices');
  let service: TestService;
  before(async () => {
    for (const language of Object.keys(TEXTS)) await installStub(voices, { name: voiceOf(language) });
    await installStub(voices, { name: 'en_XX-nan-low', fault: 'nan' });
    await installStub(voices, { name: 'en_XX-endless-low', fault: 'hang' });
    service = await startTestService({ voices, speech: { size: 2, maxQueued: 10, warmUp: false } });
  });
  after(async () => {
    await service.close();
    rmSync(root, { recursive: true });
  });

  const speak = (voice: string, text: string, rest: object = {}) =>
    service.send('POST', `/v1/text-to-speech/${voice}`, { text, language: voice.slice(0, 2), ...rest });
  const heard = async (reply: Response) => {
    assert.equal(reply.status, 200, await reply.clone().text());
    const { samples, sampleRate } = samplesOf(new Uint8Array(await reply.arrayBuffer()));
    return idsHeardIn(samples, sampleRate);
  };

  it('predicts a duration without the neural process if the warm-up is off', async () => {
    const reply = await service.send('POST', `/v1/predict-duration/${voiceOf('de')}`, {
      text: TEXTS.de,
      language: 'de',
    });
    const { duration } = (await reply.json()) as { duration: number };
    assert.ok(duration > 0.5 && duration < 5, `${duration} s`);
    assert.deepEqual(neuralProcesses(), []);
  });

  it('pauses equally between all sentences of a long text, and in replies of several requests', async () => {
    const [voice, sentence] = [voiceOf('de'), 'Im Wohnzimmer ist das Fenster offen.'];
    const count = 3;
    const input = Array.from({ length: count }, () => sentence).join(' ');
    const body = { model: 'tts-1', voice, input, response_format: 'pcm' };
    const reply = await service.send('POST', '/v1/audio/speech', body, {
      authorization: `Bearer ${service.key}`,
    });
    assert.equal(reply.status, 200, await reply.clone().text());
    const long = new Int16Array(await reply.arrayBuffer());
    const two = [await speak(voice, `${sentence} ${sentence}`), await speak(voice, sentence)];
    const parts = await Promise.all(two.map(async (part) => new Uint8Array(await part.arrayBuffer())));
    const short = parts.flatMap((part) => [...samplesOf(part).samples]);
    const pauses = [...pausesIn(long, 24_000), ...pausesIn(short, 22_050)];
    assert.equal(pauses.length, count - 1 + 2);
    for (const pause of pauses) assert.ok(Math.abs(pause - 0.4) < 0.005, `${pause} s`);
  });

  it('speaks 8 requests in three languages at the same time, all with one neural process', async () => {
    const languages = ['de', 'en', 'fr', 'de', 'en', 'fr', 'de', 'en'] as const;
    const expected = new Map<string, number[]>();
    for (const [language, text] of Object.entries(TEXTS)) {
      expected.set(language, await heard(await speak(voiceOf(language), text)));
    }
    assert.equal(new Set([...expected.values()].map(String)).size, 3);
    // Each reply is read at once: the service closes a connection whose reply was not read for 5 s.
    const ids = await Promise.all(
      languages.map(async (language) => heard(await speak(voiceOf(language), TEXTS[language]))),
    );
    assert.deepEqual(
      ids,
      languages.map((language) => expected.get(language)),
    );
    assert.equal(neuralProcesses().length, 1);
  });

  it('streams one sentence to a client of the OpenAI API, except as WAV, whose header then states the length', async () => {
    const lengthOf = async (response_format: string) => {
      const body = { model: 'tts-1', voice: voiceOf('en'), input: TEXTS.en, response_format };
      const key = { authorization: `Bearer ${service.key}` };
      const reply = await service.send('POST', '/v1/audio/speech', body, key);
      assert.equal(reply.status, 200);
      assert.ok((await reply.arrayBuffer()).byteLength > 1000);
      return reply.headers.get('content-length');
    };
    assert.equal(await lengthOf('pcm'), null);
    assert.ok(Number(await lengthOf('wav')) > 1000);
  });

  it('gives way to a simple voice for a model without audio, and speaks the next request', async () => {
    const reply = await speak('en_XX-nan-low', 'Hello.');
    assert.equal(reply.headers.get('x-voice-fallback'), 'rms');
    assert.match(
      decodeURIComponent(reply.headers.get('x-voice-fallback-reason') ?? ''),
      /en_XX-nan-low.*NaN/,
    );
    await heard(await speak(voiceOf('en'), 'Hello.'));
  });

  it('gives way to a simple voice if the neural process is killed again and again, and speaks the next request', async () => {
    let reply: Response | undefined;
    void speak('en_XX-endless-low', 'Hello.').then((response) => (reply = response));
    await until(() => {
      if (reply === undefined) for (const pid of neuralProcesses()) process.kill(pid, 'SIGKILL');
      return reply !== undefined;
    });
    assert.equal(reply?.headers.get('x-voice-fallback'), 'rms');
    const reason = decodeURIComponent(reply.headers.get('x-voice-fallback-reason') ?? '');
    assert.match(reason, /the neural process (ended with SIGKILL|did not receive)/);
    await heard(await speak(voiceOf('en'), 'Hello.'));
  });

  it('speaks with a voice that was installed a moment ago', async () => {
    await installStub(voices, { name: 'it_IT-new-medium' });
    let reply = await speak('it_IT-new-medium', 'Buongiorno.');
    await until(async () => {
      if (reply.status === 404) reply = await speak('it_IT-new-medium', 'Buongiorno.');
      return reply.status !== 404;
    });
    await heard(reply);
  });

  it('loads its default voice when it starts, and releases it after the idle timeout while simple voices speak', async () => {
    const before = neuralProcesses();
    const warm = await startTestService({ voices, voice: [voiceOf('fr')], speech: { idleTimeout: 2000 } });
    const own = () => neuralProcesses().filter((pid) => !before.includes(pid));
    // Each look at the processes takes more time than a sentence.
    await until(async () => (await delay(300), own().length === 1));
    await until(async () => {
      const reply = await warm.send('POST', '/v1/text-to-speech/rms', { text: 'Hello.', language: 'en' });
      await reply.arrayBuffer();
      await delay(300);
      return own().length === 0;
    });
    await warm.close();
  });

  it('leaves no neural process behind', async () => {
    const [pid = 0] = neuralProcesses();
    assert.ok(pid > 0);
    await service.close();
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  });
});
