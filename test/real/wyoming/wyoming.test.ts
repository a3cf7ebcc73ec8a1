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
});
const described = z.object({
  tts: z.array(
    z.object({
      name: z.string(),
      supports_synthesize_streaming: z.boolean(),
      voices: z.array(z.object({ name: z.string(), languages: z.array(z.string()), installed: z.boolean() })),
    }),
  ),
});

describe('the reference client of Wyoming, in Python', function () {
  this.timeout(120_000);
  let service: TestService;
  before(async () => {
    service = await startTestService({ wyoming: { host: '127.0.0.1', port: 0, account: 'local' } });
  });
  after(() => service.close());

  /** Runs actions of `client.py` through one connection. */
  const act = <Output>(output: z.ZodType<Output>, ...actions: ReadonlyArray<readonly string[]>) =>
    runPython(['wyoming', 'client.py'], { url: service.wyomingUrl, actions }, output);

  /** Returns the samples of the HTTP interface for the same text and voice. */
  async function samplesOverHttp(): Promise<Buffer> {
    const body = { text: TEXT, language: 'en' };
    const reply = await service.send('POST', `/v1/text-to-speech/${VOICE}`, body);
    assert.equal(reply.status, 200);
    return Buffer.from(parseWav(new Uint8Array(await reply.arrayBuffer())).data);
  }

  it('reads the description of the service with its voices, and gets an answer to a ping', async () => {
    const [info, pong] = await act(z.tuple([described, z.string()]), ['describe'], ['ping']);
    const [program] = info.tts;
    assert.equal(program?.supports_synthesize_streaming, true);
    const voice = program.voices.find(({ name }) => name === VOICE);
    assert.deepEqual(voice, { name: VOICE, languages: ['en'], installed: true });
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
