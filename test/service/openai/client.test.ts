import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AuthenticationError, BadRequestError, NotFoundError, OpenAI } from 'openai';
import { inspectAudio, z } from '@herald-speech/client';
import { formatNames } from '../../../service/openai/request.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { startTestService, type TestService } from '../../support/service/service.js';

const SENTENCE = 'The coffee is ready.';
const TEXT = `${SENTENCE} The train leaves at ten past nine. Have a nice day, and do not forget your umbrella.`;

/** Format of ffprobe, codec and hertz of each `response_format`. */
const expected = {
  mp3: ['mp3', 'mp3', 48_000, 'audio/mpeg'],
  opus: ['ogg', 'opus', 48_000, 'audio/ogg'],
  aac: ['aac', 'aac', 24_000, 'audio/aac'],
  flac: ['flac', 'flac', 24_000, 'audio/flac'],
  wav: ['wav', 'pcm_s16le', 16_000, 'audio/wav'],
  pcm: ['s16le', 'pcm_s16le', 24_000, 'audio/pcm'],
} as const;

const probed = z.object({
  streams: z.array(
    z.object({ codec_name: z.string(), sample_rate: z.coerce.number(), channels: z.number() }),
  ),
  format: z.object({ format_name: z.string() }),
});

describeWith(['ffmpeg', 'ffprobe'], 'the openai client, unmodified', () => {
  let service: TestService;
  let client: OpenAI;
  before(async () => {
    service = await startTestService();
    client = new OpenAI({ apiKey: service.key, baseURL: `${service.url}/v1`, maxRetries: 0 });
  });
  after(() => service.close());

  type Body = Partial<OpenAI.Audio.SpeechCreateParams> & { stream?: boolean };
  const speak = async (body: Body) => {
    const reply = await client.audio.speech.create({ model: 'tts-1', voice: 'nova', input: TEXT, ...body });
    return { reply, audio: Buffer.from(await reply.arrayBuffer()) };
  };
  const replies = new Map<string, ReturnType<typeof speak>>();
  /** Returns the reply to a request. Equal requests are sent once. */
  const spoken = (body: Body) => {
    const key = JSON.stringify(body);
    const reply = replies.get(key) ?? speak(body);
    replies.set(key, reply);
    return reply;
  };

  for (const response_format of formatNames) {
    it(`gets ${response_format} as a stream, which ffprobe recognizes and ffmpeg decodes completely`, async () => {
      const { reply, audio } = await spoken({ response_format });
      const [container, codec, hertz, mime] = expected[response_format];
      assert.equal(reply.headers.get('content-type'), mime);
      assert.equal(reply.headers.get('content-length'), null);
      const raw = response_format === 'pcm' ? ['-f', 's16le', '-ar', '24000', '-ac', '1'] : [];
      const { streams, format } = probe(audio, raw);
      assert.equal(format.format_name, container);
      assert.deepEqual(streams, [{ codec_name: codec, sample_rate: hertz, channels: 1 }]);
      const { audio: pcm } = await spoken({ response_format: 'pcm' });
      const added = secondsOf(decoded(audio, raw)) - secondsOf(pcm);
      assert.ok(Math.abs(added) < 0.1, `${added} s more than the speech`);
    });

    it(`gets ${response_format} of one sentence with its length`, async () => {
      const { reply, audio } = await spoken({ response_format, input: SENTENCE });
      assert.equal(reply.headers.get('content-length'), String(audio.length));
    });
  }

  it('gets a WAV whose header states its exact length, for one sentence and with stream: false', async () => {
    for (const body of [{ input: SENTENCE }, { stream: false }]) {
      const { audio } = await spoken({ response_format: 'wav', ...body });
      const samples = decoded(audio, [], 16_000);
      assert.equal(audio.readUInt32LE(4), audio.length - 8);
      assert.equal(audio.readUInt32LE(40), samples.length);
    }
  });

  it('gets the mark of synthetic speech in each file format', async () => {
    for (const response_format of ['mp3', 'opus', 'aac', 'flac', 'wav'] as const) {
      for (const body of [{ response_format }, { response_format, stream: false }]) {
        const { audio } = await spoken(body);
        assert.match(audio.toString('latin1'), /synthetic-speech[=\0]true/i, response_format);
      }
    }
  });

  it('gets a FLAC that states its length with stream: false', async () => {
    const { audio } = await spoken({ response_format: 'flac', stream: false });
    const { audio: pcm } = await spoken({ response_format: 'pcm' });
    // Total samples of the STREAMINFO block (RFC 9639, section 8.2), with the sample that starts the encoder.
    assert.equal(audio.readUInt32BE(22), pcm.length / 2 + 1);
  });

  it('gets Opus with the exact length of the speech', async () => {
    const { audio } = await spoken({ response_format: 'opus' });
    const { audio: pcm } = await spoken({ response_format: 'pcm' });
    assert.equal(decoded(audio, []).length, pcm.length);
  });

  it('gets an input of several requests of the service in one file', async () => {
    const sentence =
      'The train to the harbour leaves at ten past nine from the second platform on the left. ';
    const input = sentence.repeat(8);
    const { audio } = await spoken({ response_format: 'flac', input, speed: 4 });
    const { audio: pcm } = await spoken({ response_format: 'pcm', input, speed: 4 });
    assert.equal(decoded(audio, []).length, pcm.length + 2);
    assert.ok(secondsOf(pcm) > 8);
  });

  it('gets speech for an input of 4,096 characters, counted as code points', async () => {
    const { audio } = await spoken({ input: `Hello${'😀'.repeat(4091)}` });
    assert.equal(inspectAudio(audio).format, 'mp3');
  });

  it('gets speech at a speed from 0.25 to 4', async () => {
    const lengths: number[] = [];
    for (const speed of [0.25, 1, 4]) {
      const { audio } = await spoken({ response_format: 'pcm', input: SENTENCE, speed });
      lengths.push(secondsOf(audio));
    }
    const [slow = 0, normal = 0, fast = 0] = lengths;
    assert.ok(Math.abs(slow / normal - 4) < 0.2, `${slow / normal} times as long`);
    assert.ok(Math.abs(fast / normal - 0.25) < 0.05, `${fast / normal} times as long`);
  });

  it('gets events with the same audio, and the usage at the end', async () => {
    const { reply, audio } = await spoken({ response_format: 'pcm', stream_format: 'sse' });
    assert.match(reply.headers.get('content-type') ?? '', /^text\/event-stream/);
    const events = audio
      .toString()
      .split('\n\n')
      .filter((block) => block !== '')
      .map((block) => eventSchema.parse(JSON.parse(block.slice('data: '.length))));
    const done = events.at(-1);
    const deltas = events.slice(0, -1).map(({ audio = '' }) => Buffer.from(audio, 'base64'));
    const { audio: pcm } = await spoken({ response_format: 'pcm' });
    assert.ok(deltas.length > 1);
    assert.deepEqual(Buffer.concat(deltas), pcm);
    const output_tokens = Math.ceil(secondsOf(pcm));
    assert.deepEqual(done, {
      type: 'speech.audio.done',
      usage: { input_tokens: TEXT.length, output_tokens, total_tokens: TEXT.length + output_tokens },
    });
  });

  it('lists and reads the models', async () => {
    const { data } = await client.models.list();
    assert.ok(data.some(({ id }) => id === 'gpt-4o-mini-tts'));
    assert.equal((await client.models.retrieve('tts-1')).object, 'model');
    await assert.rejects(() => client.models.retrieve('whisper-1'), NotFoundError);
  });

  it('rejects with the error class of the status', async () => {
    const stranger = new OpenAI({ apiKey: 'sk-wrong', baseURL: `${service.url}/v1`, maxRetries: 0 });
    await assert.rejects(() => stranger.models.list(), AuthenticationError);
    await assert.rejects(() => spoken({ voice: 'nobody' }), BadRequestError);
  });
});

const eventSchema = z.strictObject({
  type: z.string(),
  audio: z.string().optional(),
  usage: z.record(z.string(), z.number()).optional(),
});

function probe(audio: Buffer, options: readonly string[]) {
  // ffprobe does not read its input to the end.
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'herald-openai-')), 'speech');
  try {
    writeFileSync(file, audio);
    const args = [...options, '-v', 'error', '-of', 'json', '-show_streams', '-show_format', file];
    return probed.parse(JSON.parse(execFileSync('ffprobe', args).toString()));
  } finally {
    rmSync(path.dirname(file), { recursive: true });
  }
}

/** Returns the samples. `sampleRate` is in hertz. */
function decoded(audio: Buffer, options: readonly string[], sampleRate = 24_000): Buffer {
  const output = ['-f', 's16le', '-ar', String(sampleRate), '-ac', '1', '-'];
  const args = ['-v', 'fatal', ...options, '-i', '-', ...output];
  return execFileSync('ffmpeg', args, { input: audio, maxBuffer: 1e8 });
}

const secondsOf = (pcm: Buffer): number => pcm.length / 2 / 24_000;
