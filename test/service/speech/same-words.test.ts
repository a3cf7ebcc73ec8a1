import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { LOCAL_ACCOUNT } from '@herald-speech/local-service';
import { chunksOf } from '../../../service/speech/chunks.js';
import { installStub } from '../../support/natural/installed-stub.js';
import { samplesOf, startTestService, type TestService } from '../../support/service/service.js';
import { samplesOf as samplesOfEvents, WyomingClient } from '../wyoming/support.js';

const NATURAL = 'en_XX-words-medium';
/** A simple voice of each engine, and a natural one. */
const VOICES = ['slt', 'en-madison', NATURAL];
const MODEL = 'main_speech_2';

const FIGURES = 'It is 21.5 °C at 9:30, 12 km/h.';
const WORDS = 'It is twenty-one point five degrees Celsius at nine thirty, twelve kilometers per hour.';

describe('the words of a text', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'herald-words-'));
  let service: TestService;
  let wyoming: string;
  before(async () => {
    const voices = path.join(root, 'voices');
    await installStub(voices, { name: NATURAL });
    const options = {
      voices,
      wyoming: { host: '127.0.0.1', port: 0, account: LOCAL_ACCOUNT },
      speech: { size: 1, warmUp: false },
    };
    service = await startTestService(options);
    wyoming = service.wyomingUrl ?? '';
  });
  after(async () => {
    await service.close();
    rmSync(root, { recursive: true });
  });

  const audioOf = async (reply: Response) => {
    assert.equal(reply.status, 200, reply.status === 200 ? '' : await reply.text());
    return [...samplesOf(new Uint8Array(await reply.arrayBuffer())).samples];
  };
  const native = async (voice: string, text: string, rest: object = {}) =>
    audioOf(
      await service.send('POST', `/v1/text-to-speech/${voice}`, {
        text,
        language: 'en',
        model: MODEL,
        ...rest,
      }),
    );
  const openAi = async (voice: string, input: string, rest: object = {}) =>
    audioOf(
      await service.send(
        'POST',
        '/v1/audio/speech',
        { model: 'tts-1', voice, input, response_format: 'wav', ...rest },
        { authorization: `Bearer ${service.key}` },
      ),
    );
  const overWyoming = async (voice: string, text: string, rest: object = {}) => {
    const client = new WyomingClient(wyoming);
    client.send({ type: 'synthesize', data: { text, voice: { name: voice }, ...rest } });
    const samples = samplesOfEvents(await client.until('audio-stop'));
    client.close();
    return Array.from({ length: samples.length / 2 }, (_, at) => samples.readInt16LE(2 * at) / 32_768);
  };
  const expected = new Map<string, Promise<number[]>>();
  /** The audio of the words, spoken once for each voice. */
  const wordsOf = (voice: string) => {
    const audio = expected.get(voice) ?? native(voice, WORDS);
    expected.set(voice, audio);
    return audio;
  };
  const routes = { native, openAi, overWyoming };

  for (const voice of VOICES) {
    for (const [name, speak] of Object.entries(routes)) {
      it(`are the same for figures on the route ${name} with the voice ${voice}`, async () => {
        const words = await wordsOf(voice);
        assert.ok(words.length > 10_000);
        assert.deepEqual(await speak(voice, FIGURES), words);
      });
    }

    it(`are those of say-as with the voice ${voice}`, async () => {
      const text =
        'Code <say-as interpret-as="digits">112</say-as>, until <say-as interpret-as="date">3/4</say-as>.';
      assert.deepEqual(
        await native(voice, text),
        await native(voice, 'Code one one two, until March fourth.'),
      );
    });

    it(`are exactly those of normalized_text with the voice ${voice}`, async () => {
      const reading = 'Wind 12 km/h.';
      const spoken = await native(voice, 'Unused.', { normalized_text: reading });
      assert.notDeepEqual(spoken, await native(voice, reading));
      assert.notDeepEqual(spoken, await native(voice, 'Unused.'));
      const own = await native(voice, reading, { normalized_text: 'Wind strong.' });
      assert.deepEqual(own, await native(voice, 'Wind strong.'));
    });

    it(`follow the rules if the model ignores normalized_text, with the voice ${voice}`, async () => {
      const rest = { normalized_text: 'Wind strong.', model: 'compact_api_3' };
      assert.deepEqual(
        await native(voice, FIGURES, rest),
        await native(voice, WORDS, { model: 'compact_api_3' }),
      );
    });
  }

  for (const name of ['openAi', 'overWyoming'] as const) {
    it(`follow the rules on the route ${name}, whose protocol has no normalized_text`, async () => {
      const rest = { normalized_text: 'Wind strong.' };
      assert.deepEqual(await routes[name]('slt', FIGURES, rest), await wordsOf('slt'));
    });
  }

  it('stay together where a long text is cut', async () => {
    const filler = 'and the next bus to the station leaves from the other side of the street '.repeat(3);
    const numbers = '<say-as interpret-as="digits">12, 34, 56, 78, 90, 12, 34, 56, 78, 90</say-as>';
    for (let count = 1; count < 60; count += 1) {
      const text = `Now ${'a '.repeat(count)}${filler}call ${numbers} ${filler}${filler}`;
      const chunks: string[] = [];
      for await (const chunk of chunksOf({ voice_id: 'slt', language: 'en', text })) chunks.push(chunk);
      assert.ok(chunks.length > 1);
      assert.equal(chunks.filter((chunk) => chunk.includes(numbers)).length, 1, String(count));
    }
  });
});
