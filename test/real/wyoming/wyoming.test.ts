import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { parseWav } from '@herald-speech/client/audio';
import { startTestService, type TestService } from '../../support/service/service.js';
import { runPython } from '../support/python.js';

const TEXT = 'The coffee is ready. The train leaves at ten past nine. Have a nice day.';
const VOICE = 'rms';

const heard = z.object({
  types: z.array(z.string()),
  formats: z.array(z.array(z.number())),
  audio: z.base64().transform((text) => Buffer.from(text, 'base64')),
  error: z.string().nullable(),
  seconds: z.object({ first: z.number().nullable(), all: z.number() }),
});
const described = z.object({
  tts: z.array(
    z.object({
      name: z.string(),
      supports_synthesize_streaming: z.boolean(),
      voices: z.array(
        z.object({
          name: z.string(),
          description: z.string(),
          attribution: z.object({ name: z.string(), url: z.string() }),
          version: z.string(),
          languages: z.array(z.string()),
          installed: z.boolean(),
        }),
      ),
    }),
  ),
});

describe('the reference client of Wyoming, in Python', function () {
  this.timeout(600_000);
  let service: TestService;
  before(async () => {
    service = await startTestService({ wyoming: { host: '127.0.0.1', port: 0, account: 'local' } });
  });
  after(() => service.close());

  /** Runs actions of `client.py` through one connection. */
  const act = <Output>(output: z.ZodType<Output>, ...actions: ReadonlyArray<readonly string[]>) =>
    runPython(['wyoming', 'client.py'], { url: service.wyomingUrl, actions }, output);

  /** Returns the samples of the HTTP interface for the same text and voice. */
  async function samplesOverHttp(voice = VOICE, language = 'en'): Promise<Buffer> {
    const reply = await service.send('POST', `/v1/text-to-speech/${voice}`, { text: TEXT, language });
    assert.equal(reply.status, 200);
    return Buffer.from(parseWav(new Uint8Array(await reply.arrayBuffer())).data);
  }

  it('reads the description of the service with its voices, and gets an answer to a ping', async () => {
    const [info, pong] = await act(z.tuple([described, z.string()]), ['describe'], ['ping']);
    const [program] = info.tts;
    assert.equal(program?.supports_synthesize_streaming, true);
    const voice = program.voices.find(({ name }) => name === VOICE);
    const { version, ...rest } = voice ?? assert.fail(VOICE);
    assert.deepEqual(rest, {
      name: VOICE,
      description: 'Simple: Russell, male, American English',
      attribution: {
        name: 'Carnegie Mellon University (Flite), licence BSD-4-Clause',
        url: 'https://github.com/festvox/flite',
      },
      languages: ['en', 'en-US', 'en_US'],
      installed: true,
    });
    assert.match(version, /^\d+\.\d+\.\d+$/);
    assert.equal(pong, 'herald');
  });

  it('hears a text as the samples of the HTTP interface, twice through one connection', async () => {
    const wanted = ['synthesize', TEXT, VOICE];
    const replies = await act(z.tuple([heard, heard]), wanted, wanted);
    const samples = await samplesOverHttp();
    for (const { types, formats, audio, error } of replies) {
      assert.equal(error, null);
      assert.deepEqual(types, ['audio-start', 'audio-chunk', 'audio-stop']);
      assert.deepEqual(formats, [[16_000, 2, 1]]);
      assert.ok(audio.equals(samples), `${audio.length} bytes instead of ${samples.length}`);
    }
  });

  it('hears the first of 24 sentences of one text in the first third of the time for all', async () => {
    const sentences = Array.from(
      { length: 24 },
      (_, place) => `Sentence ${place} says that the door is open.`,
    );
    const [{ seconds, error }] = await act(z.tuple([heard]), ['synthesize', sentences.join(' '), VOICE]);
    assert.equal(error, null);
    console.log(`      first audio after ${seconds.first} s of ${seconds.all} s`);
    assert.ok((seconds.first ?? Infinity) < seconds.all / 3, JSON.stringify(seconds));
  });

  it('hears the voice of a language with a region in any spelling', async () => {
    const voices = { 'en-GB': 'awb', en_US: VOICE };
    const actions = Object.keys(voices).map((tag) => ['synthesize_in', TEXT, tag]);
    const replies = await act(z.array(heard), ...actions);
    for (const [place, voice] of Object.values(voices).entries())
      assert.ok(replies[place]?.audio.equals(await samplesOverHttp(voice)), voice);
    const [{ error, audio }] = await act(z.tuple([heard]), ['synthesize_in', TEXT, 'pt-BR']);
    assert.equal(error, null);
    assert.ok(audio.length > 0);
  });

  it('hears a text that it sends word by word once, complete and in order', async () => {
    const [{ types, formats, audio, error }] = await act(z.tuple([heard]), ['stream', TEXT, VOICE]);
    assert.equal(error, null);
    assert.equal(types.at(-1), 'synthesize-stopped');
    assert.deepEqual(formats, [[16_000, 2, 1]]);
    const seconds = audio.length / 32_000;
    const whole = (await samplesOverHttp()).length / 32_000;
    assert.ok(Math.abs(seconds - whole) < 0.1 * whole, `${seconds} of ${whole} seconds`);
  });

  it('gets an error event with the name of an unknown voice', async () => {
    const [{ audio, error }] = await act(z.tuple([heard]), ['synthesize', TEXT, 'nobody']);
    assert.equal(audio.length, 0);
    assert.match(error ?? '', /nobody/);
  });
});
