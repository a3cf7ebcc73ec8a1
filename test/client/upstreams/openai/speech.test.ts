import assert from 'node:assert/strict';
import { parseWav } from '../../../../client/audio/wav.js';
import { createSpeech, operations, predictDuration } from '../../../../client/interface/operations.js';
import { mp3Of, wavOf } from '../../../support/audio-files.js';
import { rejection } from '../../../support/rejection.js';
import { KEY, withClient } from '../../../support/service/client-for.js';
import { spoken, withServer } from '../../../support/net/scripted-server.js';
import { speech, typed, withOpenAi } from './support.js';

/** Writes other sizes to the header of a WAV. */
function sized(wav: Buffer, riff: number, data: number): Buffer {
  const copy = Buffer.from(wav);
  copy.writeUInt32LE(riff, 4);
  copy.writeUInt32LE(data, 40);
  return copy;
}

/** Returns a WAV of 32-bit floats without a `fact` chunk. */
function floatWav(): Buffer {
  const wav = wavOf({ seconds: 0.2 });
  wav.writeUInt16LE(3, 20);
  wav.writeUInt32LE(8000 * 4, 28);
  wav.writeUInt16LE(4, 32);
  wav.writeUInt16LE(32, 34);
  return wav;
}

describe('a request to an OpenAI-compatible service', () => {
  const sent = async (request: object, openai = {}) =>
    withOpenAi(
      () => spoken(),
      async (client, { requests }) => {
        await client.call(createSpeech, { ...speech, ...request });
        assert.equal(requests.length, 1);
        return requests[0] ?? assert.fail('no request');
      },
      { openai },
    );

  it('names the model, the voice and the format, and nothing that the caller left blank', async () => {
    const { method, path, headers, json } = await sent({});
    assert.equal(`${method} ${path}`, 'POST /v1/audio/speech');
    assert.deepEqual(json, { model: 'tts-1', input: 'Hello', voice: 'nova', response_format: 'wav' });
    assert.equal(headers.authorization, `Bearer ${KEY}`);
    assert.equal(headers['x-sup-api-key'], undefined);
  });

  for (const pasted of ['/v1/audio/speech', '/v1/audio/speech/', '/v1', '/'])
    it(`goes to the same path if the base URL ends with ${pasted}`, () =>
      withServer(
        () => spoken(),
        ({ url, requests }) =>
          withClient(
            { url: `${url.replace(/\/$/, '')}/tts${pasted}`, upstream: { kind: 'openai' } },
            async (client) => {
              await client.call(createSpeech, speech);
              assert.deepEqual(
                requests.map(({ path }) => path),
                ['/tts/v1/audio/speech'],
              );
            },
          ),
      ));

  it('has the model, the style as instructions, the speed and the format of the caller', async () => {
    const request = { model: 'm2', style: 'whisper', output_format: 'mp3', voice_settings: { speed: 1.5 } };
    const { json } = await sent(request, { model: 'm1', instructions: 'calm' });
    assert.deepEqual(json, {
      model: 'm2',
      input: 'Hello',
      voice: 'nova',
      response_format: 'mp3',
      instructions: 'whisper',
      speed: 1.5,
    });
  });

  it('has the model and the instructions of the account, and no speed of 1', async () => {
    const { json } = await sent({ voice_settings: { speed: 1 } }, { model: ' m1 ', instructions: 'calm' });
    assert.deepEqual([json['model'], json['instructions'], json['speed']], ['m1', 'calm', undefined]);
  });

  it('has no header for a key if the account has none', () =>
    withOpenAi(
      () => spoken(),
      async (client, { requests }) => {
        await client.call(createSpeech, speech);
        assert.equal(requests[0]?.headers.authorization, undefined);
      },
      { apiKey: '' },
    ));

  for (const path of ['', '/v1', '/v1/', '/speech/v1'])
    it(`finds the speech route with "${path}" at the end of the base URL`, () =>
      withOpenAi(
        () => spoken(),
        async (_client, { url, requests }) => {
          const options = { url: url + path };
          await withOpenAi(
            () => spoken(),
            (client) => client.call(createSpeech, speech),
            options,
          );
          const before = path.replace(/\/v1\/?$/, '');
          assert.equal(requests[0]?.path, `${before}/v1/audio/speech`);
        },
      ));

  it('gets the whole audio of a long text, also if it is larger than the limit of a short one', () =>
    withOpenAi(
      () => spoken({ sampleRate: 24_000, seconds: 910 }),
      async (client) => {
        const text = '水'.repeat(4096);
        const { duration } = await client.speak({ ...speech, text, language: 'zh' });
        assert.equal(duration, 910);
      },
    ));

  it('takes whole texts up to the longest text of the account, one request at a time', async () => {
    const text = Array.from({ length: 40 }, (_, index) => `Sentence number ${index} is here.`).join(' ');
    let running = 0;
    await withOpenAi(
      async () => {
        running += 1;
        assert.equal(running, 1);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return spoken();
      },
      async (client, { requests }) => {
        await client.speak({ ...speech, text });
        assert.ok(requests.every(({ json }) => String(json['input']).length <= 500));
        assert.ok(requests.length >= 3 && requests.length <= 4, `${requests.length} requests`);
      },
      { openai: { maxTextLength: 500 } },
    );
  });

  it('is one request for a text of 4,000 characters by default', () =>
    withOpenAi(
      () => spoken(),
      async (client, { requests }) => {
        await client.speak({ ...speech, text: 'A short sentence. '.repeat(222) });
        assert.equal(requests.length, 1);
      },
    ));
});

describe('speech of an OpenAI-compatible service', () => {
  const received = (body: Uint8Array, type = 'audio/wav') =>
    withOpenAi(
      () => typed(type, body),
      (client) => client.call(createSpeech, speech),
      { attempts: 1 },
    );
  const wav = wavOf({ seconds: 0.5, sampleRate: 22_050 });

  for (const [riff, data] of [
    [0xffffffff, 0xffffffff],
    [0, 0],
    [36, 0],
    [0xffffffff, 0],
    [0x7fffffff, 0x7fffffff - 36],
  ] as const)
    it(`is complete, with its length, if a streamed WAV has the sizes ${riff} and ${data}`, async () => {
      const { audio, duration, format } = await received(sized(wav, riff, data));
      assert.deepEqual([format, duration], ['wav', 0.5]);
      assert.deepEqual(Buffer.from(audio), wav);
      assert.equal(parseWav(audio).streaming, false);
    });

  it('is MP3 if the service answers MP3 to a request for WAV, with any content type of audio', async () => {
    for (const type of [
      'audio/mpeg',
      'audio/wav',
      'application/octet-stream',
      'audio/mpeg; charset=binary',
    ]) {
      const { format, mime, audio } = await received(mp3Of(), type);
      assert.deepEqual([format, mime, audio.length], ['mp3', 'audio/mpeg', mp3Of().length]);
    }
  });

  it('joins pieces in MP3 to one file', () =>
    withOpenAi(
      () => typed('audio/mpeg', mp3Of()),
      async (client, { requests }) => {
        const { format, chunks } = await client.speak({ ...speech, text: 'One sentence. '.repeat(20) });
        assert.deepEqual([format, chunks.length], ['mp3', requests.length]);
        assert.ok(chunks.length > 1);
      },
      { openai: { maxTextLength: 100 } },
    ));

  it('has the rate, the width and the channels of its header', async () => {
    for (const sampleRate of [8000, 22_050, 24_000, 48_000])
      assert.equal((await received(wavOf({ seconds: 0.5, sampleRate, channels: 2 }))).duration, 0.5);
    const { audio, duration } = await received(floatWav());
    assert.deepEqual([parseWav(audio).format.encoding, duration], ['float', 0.1]);
  });

  for (const [what, body, code] of [
    ['cut in the middle', wav.subarray(0, 5000), 'no-reply'],
    ['without a sample', wav.subarray(0, 44), 'no-reply'],
    ['empty', Buffer.alloc(0), 'no-reply'],
    ['raw samples', Buffer.alloc(5000, 1), 'bad-reply'],
    ['Opus in Ogg', Buffer.from(`OggS${'\0'.repeat(100)}`), 'bad-reply'],
  ] as const)
    it(`is refused as ${code} if it is ${what}`, async () => {
      assert.equal((await rejection(received(body))).code, code);
    });

  for (const type of ['text/html', 'text/plain', 'text/event-stream', ''])
    it(`is refused if the reply has the type "${type}", although it is a WAV`, async () => {
      const error = await rejection(received(wav, type));
      assert.deepEqual([error.code, error.route, error.attempts], ['bad-reply', 'fatal', 1]);
      assert.match(error.message, /check the URL/);
    });

  it('has the message of a service that replies 200 with an error', async () => {
    const error = await rejection(received(Buffer.from('{"error": "no voice loaded"}'), 'application/json'));
    assert.equal(error.code, 'bad-reply');
    assert.match(error.message, /application\/json, expected audio.*no voice loaded/);
  });
});

describe('an OpenAI-compatible service', () => {
  const unsent = (work: Parameters<typeof withOpenAi<unknown>>[1]) =>
    withOpenAi(
      () => assert.fail('a request was sent'),
      async (client, server) => {
        const error = await rejection(work(client, server));
        assert.deepEqual([error.code, error.route, error.attempts], ['not-supported', 'fatal', 0]);
        return error.message;
      },
    );

  it('gets no request for custom voices, credits, usage or a stream, and the error names the missing feature', async () => {
    assert.match(await unsent((client) => client.call(operations.listCustomVoices, {})), /no custom voices/);
    assert.match(await unsent((client) => client.call(operations.getCredits, {})), /counts no credits/);
    const time = '2026-01-01T00:00:00Z';
    assert.match(
      await unsent((client) => client.call(operations.getUsage, { start_time: time, end_time: time })),
      /no usage/,
    );
    assert.match(await unsent((client) => client.call(operations.streamSpeech, speech)), /streamSpeech/);
  });

  it('gets no request with a setting that it would ignore, and the error names the setting', async () => {
    const pitched = { ...speech, voice_settings: { pitch_shift: 2 } };
    assert.match(await unsent((client) => client.speak(pitched)), /voice_settings\.pitch_shift/);
    const withMarks = { ...speech, include_phonemes: true };
    assert.match(await unsent((client) => client.speak(withMarks)), /include_phonemes/);
  });

  it('has estimated durations, without a request', () =>
    withOpenAi(
      () => assert.fail('a request was sent'),
      async (client) => {
        const estimate = (text: string) => client.call(predictDuration, { ...speech, text });
        const [one, two] = [await estimate('x'.repeat(100)), await estimate('x'.repeat(200))];
        assert.deepEqual([one.duration > 1, two], [true, { duration: 2 * one.duration, estimated: true }]);
      },
    ));
});
