import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { z } from '@herald-speech/client';
import { startTestService, type TestService } from '../../support/service/service.js';
import { runPython } from '../support/python.js';

const INPUT = 'The coffee is ready. The train leaves at ten past nine. Have a nice day.';
const SPEECH = { model: 'tts-1', voice: 'nova', input: INPUT };

/** Content type, and the arguments of ffmpeg that name the format of the input. */
const formats = {
  mp3: ['audio/mpeg', 'mp3'],
  opus: ['audio/ogg', 'ogg'],
  aac: ['audio/aac', 'aac'],
  flac: ['audio/flac', 'flac'],
  wav: ['audio/wav', 'wav'],
  pcm: ['audio/pcm', 's16le', '-ar', '24000', '-ac', '1'],
} as const;

const spoken = z.object({
  value: z.object({
    type: z.string(),
    audio: z.base64().transform((text) => Buffer.from(text, 'base64')),
  }),
});
const refused = z.object({ error: z.string(), message: z.string(), request_id: z.string().nullable() });
const texts = z.object({ value: z.array(z.string()) });
const REQUEST_ID = /^req_[0-9a-f]{32}$/;

describe('the openai library of Python, unmodified', function () {
  this.timeout(600_000);
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  const call = <Output>(
    output: z.ZodType<Output>,
    calls: ReadonlyArray<readonly [name: string, body: object]>,
    { key = service.key, path = '/v1' } = {},
  ) => runPython(['openai', 'client.py'], { url: service.url + path, key, calls }, output);

  for (const [response_format, [type, ...input]] of Object.entries(formats)) {
    it(`gets ${response_format} of the same length, whole and part by part, which ffmpeg decodes`, async () => {
      const body = { ...SPEECH, response_format };
      const [pcm, ...replies] = await call(z.tuple([spoken, spoken, spoken]), [
        ['whole', { ...SPEECH, response_format: 'pcm' }],
        ['whole', body],
        ['streamed', body],
      ]);
      const expected = pcm.value.audio.length / 48_000;
      assert.ok(expected > 3, `${expected} seconds`);
      for (const { value } of replies) {
        assert.equal(value.type, type);
        const seconds = decodedSeconds(value.audio, input);
        assert.ok(Math.abs(seconds - expected) < 0.1, `${seconds} of ${expected} seconds`);
      }
    });
  }

  it('lists the models, and gets its own error classes for a wrong key, an empty text and an unknown voice', async () => {
    const [{ value: models }, ...errors] = await call(z.tuple([texts, refused, refused]), [
      ['models', {}],
      ['whole', { ...SPEECH, input: '' }],
      ['whole', { ...SPEECH, voice: 'nobody' }],
    ]);
    assert.ok(models.includes('tts-1'), models.join());
    const [empty, unknown] = errors;
    assert.equal(empty.error, 'BadRequestError');
    assert.match(empty.message, /input/);
    assert.match(unknown.error, /^(BadRequest|NotFound)Error$/);
    assert.match(unknown.message, /nobody/);
    const [denied] = await call(z.tuple([refused]), [['whole', SPEECH]], { key: 'sk-wrong' });
    assert.equal(denied.error, 'AuthenticationError');
    assert.doesNotMatch(denied.message, /sk-wrong/);
    for (const { request_id } of [...errors, denied]) assert.match(request_id ?? '', REQUEST_ID);
  });

  for (const path of ['/v1', '']) {
    it(`speaks, lists models and voices, and gets errors and request ids with the path "${path}" in its base URL`, async () => {
      const [speech, { value: models }, { value: voices }, { value: ids }, unknown] = await call(
        z.tuple([spoken, texts, texts, texts, refused]),
        [
          ['whole', SPEECH],
          ['models', {}],
          ['voices', {}],
          ['request_id', SPEECH],
          ['whole', { ...SPEECH, model: 'nothing' }],
        ],
        { path },
      );
      assert.equal(speech.value.type, 'audio/mpeg');
      assert.ok(models.includes('tts-1') && voices.includes('alloy') && voices.includes('rms'));
      assert.equal(unknown.error, 'NotFoundError');
      const all = [...ids, unknown.request_id ?? ''];
      for (const id of all) assert.match(id, REQUEST_ID);
      assert.equal(new Set(all).size, all.length);
    });
  }

  it('lists models and voices without a key, and is told where the key is when it speaks', async () => {
    const calls = [['models', {}] as const, ['voices', {}] as const, ['whole', SPEECH] as const];
    const [{ value: models }, { value: voices }, denied] = await call(
      z.tuple([texts, texts, refused]),
      calls,
      { key: '' },
    );
    assert.ok(models.includes('tts-1') && voices.includes('alloy'));
    assert.equal(denied.error, 'AuthenticationError');
    assert.match(denied.message, /"Connect other programs"/);
  });
});

/** Returns the seconds that ffmpeg decodes. A streamed WAV states no length, so a missing end counts as no error. */
function decodedSeconds(audio: Buffer, [format = '', ...raw]: readonly string[]): number {
  const input = ['-f', format, ...raw, '-i', 'pipe:0'];
  const samples = execFileSync(
    'ffmpeg',
    ['-v', 'error', ...input, '-f', 's16le', '-ar', '24000', '-ac', '1', 'pipe:1'],
    { input: audio, maxBuffer: 1 << 26 },
  );
  return samples.length / 48_000;
}
