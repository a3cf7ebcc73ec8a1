import assert from 'node:assert/strict';
import { type Client, createClient } from '../../../../client/index.js';
import { createSpeech, getVoice, listVoices } from '../../../../client/interface/operations.js';
import { parseWav } from '../../../../client/audio/wav.js';
import { rejection } from '../../../support/rejection.js';
import { startTestService, type TestService } from '../../../support/service/service.js';

const speech = { voice_id: 'rms', text: 'The coffee is ready. Have a nice day.', language: 'en' };

describe('the OpenAI routes of the local service behind the client', () => {
  let service: TestService;
  let client: Client;
  const clientWith = (apiKey: string, path = '/v1') =>
    createClient({ url: service.url + path, apiKey, attempts: 2, upstream: { kind: 'openai' } });
  before(async () => {
    service = await startTestService();
    client = clientWith(service.key);
  });
  after(async () => {
    await client.close();
    await service.close();
  });

  it('speak WAV with its length, and MP3, with and without /v1 in the base URL', async () => {
    const { audio, format, duration } = await client.call(createSpeech, speech);
    const wav = parseWav(audio);
    assert.deepEqual([format, wav.streaming, duration], ['wav', false, wav.seconds]);
    assert.ok(duration > 2 && duration < 6, `${duration} seconds`);
    const other = clientWith(service.key, '');
    const mp3 = await other.call(createSpeech, { ...speech, output_format: 'mp3' });
    await other.close();
    assert.equal(mp3.format, 'mp3');
    assert.ok(Math.abs(mp3.duration - duration) < 0.2, `${mp3.duration} and ${duration} seconds`);
  });

  it('speak faster and slower', async () => {
    const secondsAt = async (speed: number) =>
      (await client.call(createSpeech, { ...speech, voice_settings: { speed } })).duration;
    const [slow, usual, fast] = [await secondsAt(0.5), await secondsAt(1), await secondsAt(2)];
    assert.ok(slow > usual * 1.6 && fast < usual * 0.7, `${slow}, ${usual} and ${fast} seconds`);
  });

  it('speak a text of 2,000 characters in one request', async () => {
    const text = 'This is a sentence of a long text. '.repeat(60);
    const { chunks, duration } = await client.speak({ ...speech, text });
    assert.equal(chunks.length, 1);
    assert.ok(duration > 60, `${duration} seconds`);
  });

  it('list their voices with languages and genders', async () => {
    const { items } = await client.call(listVoices, { page_size: 100 });
    const voice = items.find(({ voice_id }) => voice_id === 'rms');
    assert.deepEqual([voice?.language, voice?.gender], [['en'], 'male']);
    assert.ok(items.some(({ voice_id }) => voice_id === 'alloy'));
    assert.equal((await client.call(getVoice, { voice_id: 'alloy' })).name, 'Alloy');
    assert.equal((await client.complete({ voice_id: 'rms' })).language, 'en');
  });

  it('refuse an unknown voice and an unknown model, and each error names the field', async () => {
    const voice = await rejection(client.call(createSpeech, { ...speech, voice_id: 'nobody' }));
    assert.deepEqual([voice.code, voice.route, voice.attempts], ['not-found', 'fatal', 1]);
    assert.match(voice.message, /^voice_id "nobody": the service has no such voice/);
    const model = await rejection(client.call(createSpeech, { ...speech, model: 'nothing' }));
    assert.deepEqual([model.code, model.attempts], ['not-found', 1]);
    assert.match(model.message, /^model "nothing": the service has no such model/);
  });

  it('refuse a wrong key and a missing key, without the key in the error', async () => {
    for (const [key, message] of [
      ['sk-wrong-key', /does not accept the API key/],
      ['', /needs an API key/],
    ] as const) {
      const stranger = clientWith(key);
      const error = await rejection(stranger.call(createSpeech, speech));
      await stranger.close();
      assert.deepEqual([error.code, error.route, error.attempts], ['unauthorized', 'fatal', 1]);
      assert.match(error.message, message);
      assert.doesNotMatch(error.message + (error.service ?? ''), /sk-wrong-key/);
    }
  });

  it('have no speech at another path, and the error names the base URL', async () => {
    const lost = clientWith(service.key, '/api');
    const error = await rejection(lost.call(createSpeech, speech));
    await lost.close();
    assert.deepEqual([error.route, error.attempts], ['fatal', 1]);
    assert.match(error.message, /base URL/);
  });
});
