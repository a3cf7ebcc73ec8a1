import assert from 'node:assert/strict';
import { inspectAudio, readMark, verifyAudio, withoutMark } from '@herald-speech/client';
import { startTestService, type TestService } from '../../support/service/service.js';

const hello = { text: 'Hello there. How are you?', language: 'en' };
const mark = { product: 'Herald', voice: 'slt', language: 'en' };
const FORMATS = ['wav', 'mp3'] as const;

/** Returns the audio of lines of JSON. */
const audioOf = (lines: string): Buffer =>
  Buffer.concat(
    lines
      .trim()
      .split('\n')
      .map((line) =>
        Buffer.from((JSON.parse(line) as { audio_base64: string | null }).audio_base64 ?? '', 'base64'),
      ),
  );

/** docs/outputs.md#mark-of-synthetic-speech */
describe('the mark of synthetic speech in replies', () => {
  let service: TestService;
  let unmarked: TestService;

  before(async () => {
    [service, unmarked] = await Promise.all([startTestService(), startTestService({ mark: false })]);
  });
  after(() => Promise.all([service.close(), unmarked.close()]));

  const speak = async (from: TestService, body: object, path = ''): Promise<Response> => {
    const reply = await from.send('POST', `/v1/text-to-speech/slt${path}`, body);
    assert.equal(reply.status, 200);
    return reply;
  };
  const bytesOf = async (reply: Response) => new Uint8Array(await reply.arrayBuffer());

  for (const output_format of FORMATS) {
    for (const path of ['', '/stream']) {
      it(`has the voice and the language in ${output_format}${path}, and changes nothing else`, async () => {
        const body = { ...hello, output_format };
        const marked = await bytesOf(await speak(service, body, path));
        const plain = await bytesOf(await speak(unmarked, body, path));
        assert.deepEqual(readMark(marked), mark);
        assert.equal(readMark(plain), undefined);
        assert.deepEqual(inspectAudio(marked), inspectAudio(plain));
        assert.ok(Buffer.from(withoutMark(marked)).equals(plain));
      });
    }

    it(`is signed in ${output_format} with the key of the service`, async () => {
      const { key } = (await (await service.send('GET', '/console/api/mark')).json()) as { key: string };
      for (const include_phonemes of [false, true]) {
        const body = { ...hello, output_format, include_phonemes };
        const reply = await speak(service, body);
        const file = include_phonemes ? audioOf(await reply.text()) : await bytesOf(reply);
        assert.equal(verifyAudio(file, [key]).verdict, 'unchanged');
        const stream = await speak(service, body, '/stream');
        const streamed = include_phonemes ? audioOf(await stream.text()) : await bytesOf(stream);
        // A WAV of unknown length has no place after its audio.
        assert.equal(
          verifyAudio(streamed, [key]).verdict,
          output_format === 'mp3' ? 'unchanged' : 'unsigned',
        );
      }
    });

    it(`is in ${output_format} with phonemes, also in a stream only once`, async () => {
      const body = { ...hello, output_format, include_phonemes: true };
      for (const path of ['', '/stream']) {
        const audio = audioOf(await (await speak(service, body, path)).text());
        assert.deepEqual(readMark(audio), mark);
        assert.equal(audio.toString('latin1').split('synthetic-speech').length, 2);
      }
    });
  }
});
