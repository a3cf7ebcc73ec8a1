import assert from 'node:assert/strict';
import { type Client, createClient, type SpeechError } from '@herald-speech/client';
import { parseWav } from '@herald-speech/client/audio';
import { createSpeech, getVoice, listVoices } from '../../../client/interface/operations.js';
import { rejection } from '../../support/rejection.js';
import { startStudio, type StudioServer } from './server.js';

const JOE = 'en_US-joe-medium';
const KEY = 'sk-studio-0123456789';
const speech = { voice_id: JOE, text: 'The coffee is ready.', language: 'en' };

/** Runs `work` with a client of a server, and closes the client. */
async function withClient<Result>(
  { url }: StudioServer,
  apiKey: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = createClient({ url: `${url}/v1`, apiKey, attempts: 2, upstream: { kind: 'openai' } });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

describe('local-tts-studio with the voice joe', function () {
  this.timeout(600_000);
  let server: StudioServer;
  before(async () => {
    server = await startStudio({ api_default_voice: JOE, api_key_enabled: true, api_key: KEY });
  });
  after(() => server.close());

  it('speaks WAV at the rate of the voice, and MP3', () =>
    withClient(server, KEY, async (client) => {
      const { audio, duration, format } = await client.call(createSpeech, speech);
      const wav = parseWav(audio);
      assert.deepEqual([format, wav.format.sampleRate, wav.format.encoding], ['wav', 22_050, 'pcm']);
      assert.ok(duration > 0.7 && duration < 3, `${duration} seconds`);
      const mp3 = await client.call(createSpeech, { ...speech, output_format: 'mp3' });
      assert.ok(mp3.format === 'mp3' && mp3.duration > 0.7);
    }));

  it('speaks a text of several pieces as one file', () =>
    withClient(server, KEY, async (client) => {
      const text = Array.from({ length: 12 }, (_, index) => `This is sentence number ${index + 1}.`).join(
        ' ',
      );
      const whole = await client.speak({ ...speech, text }, { sentences: true });
      assert.ok(whole.chunks.length > 6, `${whole.chunks.length} pieces`);
      assert.ok(whole.duration > 10, `${whole.duration} seconds`);
    }));

  it('lists no voices: the client offers the usual names, and each of them speaks', () =>
    withClient(server, KEY, async (client) => {
      const { items } = await client.call(listVoices, {});
      assert.ok(items.some(({ voice_id }) => voice_id === 'alloy'));
      assert.deepEqual((await client.call(getVoice, { voice_id: 'alloy' })).language, []);
      const unknown = await client.call(createSpeech, { ...speech, voice_id: 'nobody' });
      assert.ok(unknown.duration > 0.7);
    }));

  it('refuses a wrong and a missing key', async () => {
    for (const [key, message] of [
      ['sk-wrong', /does not accept the API key/],
      ['', /needs an API key/],
    ] as const) {
      const error: SpeechError = await withClient(server, key, (client) =>
        rejection(client.call(createSpeech, speech)),
      );
      assert.deepEqual([error.code, error.route, error.attempts], ['unauthorized', 'fatal', 1]);
      assert.match(error.message, message);
    }
  });

  it('without a default voice is asked once, and the error has the fix', async () => {
    const unset = await startStudio({});
    try {
      const error = await withClient(unset, '', (client) => rejection(client.call(createSpeech, speech)));
      assert.deepEqual(
        [error.code, error.route, error.attempts, error.status],
        ['not-found', 'fatal', 1, 503],
      );
      assert.match(error.message, /set a default voice in the service/);
    } finally {
      await unset.close();
    }
  });
});
