import assert from 'node:assert/strict';
import http from 'node:http';
import { inspectAudio, operations, parseWav } from '@herald-speech/client';
import { medianPitch, trackPitch } from '../../../service/kit/audio/pitch.js';
import { samplesOf, startTestService, type TestService } from '../../support/service/service.js';

const hello = { text: 'Hello there. How are you today?', language: 'en' };

describe('the local service', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(async () => service.close());

  const speak = (body: object, voice = 'slt', path = '') =>
    service.send('POST', `/v1/text-to-speech/${voice}${path}`, body);
  const bytesOf = async (reply: Response) => {
    assert.equal(reply.status, 200, await (reply.status === 200 ? '' : reply.text()));
    return new Uint8Array(await reply.arrayBuffer());
  };
  const pitchOf = async (body: object, voice?: string) => {
    const { samples, sampleRate } = samplesOf(await bytesOf(await speak(body, voice)));
    return medianPitch(trackPitch(samples, sampleRate)) ?? 0;
  };

  describe('speech', () => {
    it('is a complete WAV with the length in X-Audio-Length', async () => {
      const reply = await speak(hello);
      assert.equal(reply.headers.get('content-type'), 'audio/wav');
      const { format, duration } = inspectAudio(await bytesOf(reply));
      assert.equal(format, 'wav');
      assert.ok(Math.abs(duration - Number(reply.headers.get('x-audio-length'))) < 0.001);
    });

    it('is an MP3 on request, within two frames of X-Audio-Length', async () => {
      const reply = await speak({ ...hello, output_format: 'mp3' });
      assert.equal(reply.headers.get('content-type'), 'audio/mpeg');
      const { format, duration } = inspectAudio(await bytesOf(reply));
      assert.equal(format, 'mp3');
      assert.ok(Math.abs(duration - Number(reply.headers.get('x-audio-length'))) < 0.08);
    });

    it('has phonemes in three arrays of equal length that end with the audio', async () => {
      const reply = await speak({ ...hello, include_phonemes: true });
      assert.match(reply.headers.get('content-type') ?? '', /^application\/json/);
      const { audio, ...rest } = await spokenOf(reply);
      const { symbols, start_times_seconds: starts, durations_seconds: durations } = rest.phonemes;
      assert.equal(symbols.length, starts.length);
      assert.equal(symbols.length, durations.length);
      assert.equal(symbols.join(''), 'hələʊðɛɹhaʊɑɹjutədeɪ'.replace('əʊ', 'oʊ'));
      const end = (starts.at(-1) ?? 0) + (durations.at(-1) ?? 0);
      assert.ok(Math.abs(end - inspectAudio(audio).duration) < 0.001);
    });

    it('has the length of the prediction and of the setting duration', async () => {
      for (const voice_settings of [{}, { speed: 1.5 }, { duration: 5 }]) {
        const body = { ...hello, style: 'sad', voice_settings };
        const predicted: unknown = await (
          await service.send('POST', '/v1/predict-duration/rms', body)
        ).json();
        const { duration } = operations.predictDuration.response.parse(predicted);
        const spoken = inspectAudio(await bytesOf(await speak(body, 'rms'))).duration;
        assert.ok(Math.abs(duration / spoken - 1) < 0.001, `${duration}, not ${spoken}`);
        if ('duration' in voice_settings) assert.ok(Math.abs(spoken / 5 - 1) < 0.05, `${spoken} s`);
      }
    });

    it('contains normalized_text in place of the text, with a model that reads it', async () => {
      const lengthWith = async (model: string) =>
        inspectAudio(await bytesOf(await speak({ ...hello, text: 'Hi', normalized_text: hello.text, model })))
          .duration;
      assert.ok((await lengthWith('main_speech_2')) > 2);
      assert.ok((await lengthWith('main_speech_1')) < 1);
    });

    it('follows the style, and has the first style by default', async () => {
      const [neutral, happy, sad] = [
        await pitchOf({ ...hello, style: 'neutral' }),
        await pitchOf({ ...hello, style: 'happy' }),
        await pitchOf({ ...hello, style: 'sad' }),
      ];
      assert.ok(sad < neutral && neutral < happy, `${sad} < ${neutral} < ${happy}`);
      assert.equal(await pitchOf(hello), neutral);
    });
  });

  /** The service ignores a setting that the model does not support (docs/interface.md#models). */
  describe('the supported settings', () => {
    const followed: Array<[model: string, settings: string[]]> = [
      ['main_speech_1', ['pitch_shift', 'speed', 'duration']],
      ['main_speech_2', ['pitch_shift', 'speed', 'duration']],
      ['main_speech_2_flash', ['pitch_shift', 'speed', 'duration']],
      ['compact_api_1', ['speed']],
      ['compact_api_3', ['speed']],
    ];
    const settings = { pitch_shift: 7, speed: 2, duration: 9 };
    for (const [model, known] of followed) {
      it(`are ${known.join(', ')} for ${model}`, async () => {
        const plain = Buffer.from(await bytesOf(await speak({ ...hello, model })));
        for (const [name, value] of Object.entries(settings)) {
          const changed = await bytesOf(await speak({ ...hello, model, voice_settings: { [name]: value } }));
          assert.equal(plain.equals(changed), !known.includes(name), name);
        }
      });
    }
  });

  describe('streamed speech', () => {
    it('has its length in a trailer', async () => {
      const { headers, trailers, body } = await stream(service, hello);
      assert.equal(headers['content-type'], 'audio/wav');
      assert.equal(headers['cache-control'], 'no-cache');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['content-length'], undefined);
      const { duration } = inspectAudio(body);
      assert.ok(Math.abs(duration - Number(trailers['x-audio-length'])) < 0.001);
    });

    it('contains the same audio as a whole reply', async () => {
      const { body } = await stream(service, hello);
      const whole = await bytesOf(await speak(hello));
      assert.ok(Buffer.from(parseWav(body).data).equals(parseWav(whole).data));
    });

    it('is a complete MP3 on request', async () => {
      const { body } = await stream(service, { ...hello, output_format: 'mp3' });
      assert.equal(inspectAudio(body).format, 'mp3');
    });

    it('has lines with either audio or phonemes on request', async () => {
      const { headers, body } = await stream(service, { ...hello, include_phonemes: true });
      assert.equal(headers['content-type'], 'application/x-ndjson');
      const lines = body.toString().trim().split('\n');
      const filled = lines.map((line) =>
        Object.entries(JSON.parse(line)).filter(([, value]) => value !== null),
      );
      assert.deepEqual(
        filled.map((fields) => fields.length),
        lines.map(() => 1),
      );
      assert.deepEqual(
        filled.map(([field]) => field?.[0]),
        ['audio_base64', 'phonemes', 'audio_base64', 'phonemes'],
      );
    });

    it('rejects other models than main_speech_1', async () => {
      assert.equal((await speak({ ...hello, model: 'main_speech_2' }, 'slt', '/stream')).status, 400);
    });

    it('replies 400 to a text that the voice cannot read', async () => {
      assert.equal((await speak({ ...hello, text: '你好' }, 'slt', '/stream')).status, 400);
    });
  });

  it('reports null as the balance of the local account', async () => {
    assert.deepEqual(await (await service.send('GET', '/v1/credits')).json(), { balance: null });
  });

  it('replies to the health check without a key', async () => {
    assert.deepEqual(await (await fetch(`${service.url}/healthz`)).json(), { status: 'ok' });
  });
});

async function spokenOf(reply: Response) {
  const body: unknown = await reply.json();
  assert.ok(typeof body === 'object' && body !== null && 'audio_base64' in body && 'phonemes' in body);
  const audio = Buffer.from(String(body.audio_base64), 'base64');
  const { phonemes } = operations.createSpeech.response
    .pick({ phonemes: true })
    .required()
    .parse({ phonemes: body.phonemes });
  return { audio, phonemes };
}

/** Reads a stream with its trailers, which `fetch` cannot read. */
function stream(service: TestService, body: object) {
  return new Promise<{ headers: http.IncomingHttpHeaders; trailers: NodeJS.Dict<string>; body: Buffer }>(
    (resolve, reject) => {
      const headers = { 'x-sup-api-key': service.key, 'content-type': 'application/json' };
      const request = http.request(`${service.url}/v1/text-to-speech/slt/stream`, {
        method: 'POST',
        headers,
      });
      request.once('error', reject).once('response', (reply) => {
        const pieces: Buffer[] = [];
        reply.on('data', (piece: Buffer) => pieces.push(piece));
        reply.once('end', () =>
          resolve({ headers: reply.headers, trailers: reply.trailers, body: Buffer.concat(pieces) }),
        );
      });
      request.end(JSON.stringify(body));
    },
  );
}
