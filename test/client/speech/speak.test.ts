import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Progress } from '../../../client/calls/progress.js';
import { inspectAudio } from '../../../client/audio/join.js';
import { readMark, withMark } from '../../../client/audio/mark-in-file.js';
import { MarkSigner, newMarkKey } from '../../../client/audio/signature.js';
import { verifyAudio } from '../../../client/audio/verify.js';
import { parseWav } from '../../../client/audio/wav.js';
import type { FinishedChunks } from '../../../client/speech/finished-chunks.js';
import { mp3Of, wavOf } from '../../support/audio-files.js';
import { withService } from '../../support/service/client-for.js';
import { rejection } from '../../support/rejection.js';
import { refused, type Script, spoken } from '../../support/net/scripted-server.js';
import { until } from '../../support/waiting.js';

const voice = { voice_id: 'v1', language: 'en' };
/** About 180 characters, so that each sentence is a chunk. */
const sentence = (number: number) => `Sentence ${number} ${'goes on and on '.repeat(11)}to its end.`;
const longText = (count: number) =>
  Array.from({ length: count }, (_, index) => sentence(index + 1)).join(' ');
const numberOf = (json: Record<string, unknown>) => Number(/^Sentence (\d+)/.exec(String(json['text']))?.[1]);
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const folded = (text: string) => text.replace(/\s+/gu, ' ').trim();

/** The value of every sample of a WAV of `wavOf`, each once, in order. */
function valuesOf(wav: Uint8Array): number[] {
  const samples = Buffer.from(parseWav(wav).data);
  const values = Array.from({ length: samples.length / 2 }, (_, index) => samples.readInt16LE(index * 2));
  return values.filter((value, index) => value !== values[index - 1]);
}

describe('client.speak', () => {
  it('joins the audio of all chunks in order even if the replies are not', () =>
    withService(
      async ({ json }) => {
        await pause(numberOf(json) % 2 === 0 ? 5 : 60);
        return spoken({ value: numberOf(json), seconds: numberOf(json) / 10 });
      },
      async (client) => {
        const speech = await client.speak({ ...voice, text: longText(7) });
        assert.deepEqual(valuesOf(speech.audio), [1, 2, 3, 4, 5, 6, 7]);
        assert.deepEqual(
          speech.chunks.map(({ text }) => text),
          Array.from({ length: 7 }, (_, index) => sentence(index + 1)),
        );
        const starts = speech.chunks.map(({ start }) => Math.round(start * 10));
        assert.deepEqual(starts, [0, 1, 3, 6, 10, 15, 21]);
        assert.ok(Math.abs(speech.duration - 2.8) < 1e-9);
        assert.ok(Math.abs(inspectAudio(speech.audio).duration - speech.duration) < 1e-9);
        assert.deepEqual([speech.format, speech.mime, speech.warnings], ['wav', 'audio/wav', []]);
      },
    ));

  for (const concurrency of [1, 2, 5]) {
    it(`sends ${concurrency} requests at a time if \`concurrency\` is ${concurrency}`, () => {
      let running = 0;
      let most = 0;
      return withService(
        async () => {
          running += 1;
          most = Math.max(most, running);
          await pause(20);
          running -= 1;
          return spoken();
        },
        async (client) => {
          await client.speak({ ...voice, text: longText(12) });
          assert.equal(most, concurrency);
        },
        { concurrency },
      );
    });
  }

  it('aborts the other chunks if one fails, and rejects with its number and position', () => {
    const [asked, stopped] = [new Set<number>(), new Set<number>()];
    const text = longText(8);
    const script: Script = async ({ json, gone }) => {
      const number = numberOf(json);
      asked.add(number);
      if (number === 3) {
        await until(() => asked.size === 6);
        return refused(403);
      }
      if (number < 3) return spoken();
      gone.addEventListener('abort', () => stopped.add(number));
      return new Promise(() => {});
    };
    return withService(script, async (client, server) => {
      const error = await rejection(client.speak({ ...voice, text }));
      assert.deepEqual([error.code, error.status, error.operation], ['forbidden', 403, 'createSpeech']);
      assert.match(error.message, /^chunk 3 of 8: the API key does not permit this operation/);
      const start = text.indexOf(sentence(3));
      assert.deepEqual(error.chunk, { index: 2, count: 8, start, end: start + sentence(3).length });
      await until(() => stopped.size === 3);
      assert.deepEqual(stopped, new Set([4, 5, 6]));
      assert.equal(server.requests.length, 6);
    });
  });

  it('names no chunk in the error of a text of one chunk', () =>
    withService(
      () => refused(403),
      async (client) => {
        const { message, chunk } = await rejection(client.speak({ ...voice, text: 'Hello' }));
        assert.deepEqual(
          [message, chunk],
          [
            'the API key does not permit this operation (403): permit it in the service, or use another key in the account',
            undefined,
          ],
        );
      },
    ));

  it('retries only the failed chunk', () => {
    const failed = new Set<number>();
    return withService(
      ({ json }) => {
        const number = numberOf(json);
        if (failed.has(number)) return spoken({ value: number });
        failed.add(number);
        return number === 2 ? refused(500) : spoken({ value: number });
      },
      async (client, server) => {
        const { audio } = await client.speak({ ...voice, text: longText(4) });
        assert.deepEqual(valuesOf(audio), [1, 2, 3, 4]);
        assert.equal(server.requests.length, 5);
      },
    );
  });

  it('requests only missing and changed chunks if `finished` has the chunks of an earlier call', () =>
    withService(
      ({ json }) => spoken({ value: numberOf(json) }),
      async (client, { requests }) => {
        const finished: FinishedChunks = new Map();
        const request = { ...voice, text: longText(3) };
        await client.speak(request, { finished });
        finished.delete(1);
        const { audio } = await client.speak(request, { finished });
        assert.deepEqual(valuesOf(audio), [1, 2, 3]);
        assert.equal(requests.length, 3 + 1);
        await client.speak({ ...request, voice_id: 'v2' }, { finished });
        assert.equal(requests.length, 3 + 1 + 3);
      },
    ));

  it('adds up the charged seconds, or returns undefined if one chunk has none', () => {
    const charged =
      (known: (number: number) => boolean): Script =>
      ({ json }) => ({
        headers: { 'content-type': 'audio/wav', ...(known(numberOf(json)) && { 'x-audio-length': '1.5' }) },
        body: wavOf(),
      });
    const seconds = (script: Script) =>
      withService(
        script,
        async (client) => (await client.speak({ ...voice, text: longText(3) })).chargedSeconds,
      );
    return Promise.resolve().then(async () => {
      assert.equal(await seconds(charged(() => true)), 4.5);
      assert.equal(await seconds(charged((number) => number !== 2)), undefined);
    });
  });

  it('joins the phonemes of all chunks and shifts their times', () =>
    withService(
      ({ json }) => ({
        body: {
          audio_base64: wavOf({ seconds: 0.5 }).toString('base64'),
          phonemes: {
            symbols: [`p${numberOf(json)}`, ''],
            start_times_seconds: [0, 0.25],
            durations_seconds: [0.25, 0.25],
          },
        },
      }),
      async (client) => {
        const { phonemes } = await client.speak({ ...voice, text: longText(3), include_phonemes: true });
        assert.deepEqual(phonemes?.symbols, ['p1', '', 'p2', '', 'p3', '']);
        assert.deepEqual(phonemes.start_times_seconds, [0, 0.25, 0.5, 0.75, 1, 1.25]);
        assert.deepEqual(phonemes.durations_seconds, [0.25, 0.25, 0.25, 0.25, 0.25, 0.25]);
      },
    ));

  it('marks the audio as synthetic speech, unless the caller declines', () =>
    withService(
      ({ json }) =>
        json['output_format'] === 'mp3'
          ? { headers: { 'content-type': 'audio/mpeg' }, body: mp3Of(20) }
          : spoken(),
      async (client) => {
        for (const output_format of ['wav', 'mp3'] as const) {
          for (const count of [1, 3]) {
            const request = { ...voice, text: longText(count), output_format };
            const marked = await client.speak(request);
            const plain = await client.speak(request, { mark: false });
            assert.deepEqual(readMark(marked.audio), { product: 'Herald', voice: 'v1', language: 'en' });
            assert.equal(readMark(plain.audio), undefined);
            assert.deepEqual(inspectAudio(marked.audio), inspectAudio(plain.audio));
          }
        }
      },
    ));

  it('signs the joined audio with the key of the caller', () =>
    withService(
      () => spoken(),
      async (client) => {
        const signer = new MarkSigner(newMarkKey());
        for (const text of ['Hello.', longText(3)]) {
          const { audio } = await client.speak({ ...voice, text }, { signer });
          assert.equal(verifyAudio(audio, [signer.key]).verdict, 'unchanged');
          const { audio: unsigned } = await client.speak({ ...voice, text });
          assert.equal(verifyAudio(unsigned, [signer.key]).verdict, 'unsigned');
        }
      },
    ));

  it('keeps the mark of the service, and removes it if the caller declines', () =>
    withService(
      () => {
        const audio = spoken();
        return { ...audio, body: Buffer.from(withMark(wavOf(), { product: 'Service', voice: 'v2' })) };
      },
      async (client) => {
        for (const text of [longText(1), longText(2)]) {
          const { audio } = await client.speak({ ...voice, text });
          assert.deepEqual(readMark(audio), { product: 'Service', voice: 'v2' });
          assert.equal(readMark((await client.speak({ ...voice, text }, { mark: false })).audio), undefined);
        }
      },
    ));

  it('joins MP3', () =>
    withService(
      () => ({ headers: { 'content-type': 'audio/mpeg' }, body: mp3Of(20) }),
      async (client, { requests }) => {
        const speech = await client.speak({ ...voice, text: longText(3), output_format: 'mp3' });
        assert.deepEqual([speech.format, speech.mime], ['mp3', 'audio/mpeg']);
        assert.equal(inspectAudio(speech.audio).format, 'mp3');
        assert.ok(requests.every(({ json }) => json['output_format'] === 'mp3'));
      },
    ));

  it('rejects with bad-reply if the sample rate of a chunk differs, naming chunk and rates', () =>
    withService(
      ({ json }) => spoken({ sampleRate: numberOf(json) === 2 ? 16_000 : 8000 }),
      async (client) => {
        const error = await rejection(client.speak({ ...voice, text: longText(3) }));
        assert.equal(error.code, 'bad-reply');
        assert.match(error.message, /piece 2 .*16000 Hz.*8000 Hz/);
      },
    ));

  it('reports the progress from 0 to all chunks', () =>
    withService(
      () => spoken(),
      async (client) => {
        const seen: Progress[] = [];
        await client.speak(
          { ...voice, text: longText(3) },
          { onProgress: (progress) => seen.push(progress) },
        );
        const done = seen.flatMap((progress) => (progress.state === 'speaking' ? [progress.done] : []));
        assert.ok(done.every((count, index) => count >= (done[index - 1] ?? 0)));
        assert.deepEqual([done[0], done.at(-1)], [0, 3]);
      },
    ));

  it('sends the complete text in order, at most 300 characters per request', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.constantFrom(
            'Well',
            'a',
            'größer',
            '👍🏽',
            'word. ',
            '"Yes," ',
            'e.g. ',
            '\n\n',
            ' ',
            '…',
            '3.14',
          ),
          {
            minLength: 1,
            maxLength: 400,
          },
        ),
        (words) => {
          const text = `Begin ${words.join(' ')} end`;
          return withService(
            () => spoken({ seconds: 0.01 }),
            async (client, { requests }) => {
              await client.speak({ ...voice, text });
              const sent = requests.map(({ json }) => String(json['text']));
              assert.ok(sent.every((one) => one.length <= 300));
              assert.equal(folded(sent.join(' ')), folded(text));
            },
            { concurrency: 1 },
          );
        },
      ),
      { numRuns: 25 },
    ));
});

describe('an invalid text', () => {
  it('is rejected also if the caller checked the request', () =>
    withService(
      () => spoken(),
      async (client, server) => {
        for (const text of ['?!', 'word '.repeat(20_000)]) {
          const error = await rejection(client.speak({ ...voice, text }, { checked: true }));
          assert.equal(error.code, 'bad-request');
          assert.match(error.message, /^text is /);
        }
        assert.equal(server.requests.length, 0);
      },
    ));

  for (const [what, text, expected] of [
    ['empty', '', /text is "": .*letter or digit/],
    ['white space', ' \n ', /text is " \\n ": .*letter or digit/],
    ['punctuation', '?! … —', /text is .*letter or digit/],
    ['only `#`', '###', /text is "###": .*letter or digit/],
    ['a number', 42, /text is 42: .*enter a text/],
    ['missing', undefined, /text is missing: .*enter a text/],
    ['an object', { payload: 'x' }, /text is .*payload.*enter a text/],
    ['10 MB long', 'word '.repeat(2e6), /text is "word .*10000000 characters.*at most 50000/],
  ] as const) {
    it(`is rejected by speak and predict without a request: ${what}`, () =>
      withService(
        () => spoken(),
        async (client, server) => {
          const request: Parameters<typeof client.speak>[0] = Object.assign({ text: '' }, voice, { text });
          for (const error of [
            await rejection(client.speak(request)),
            await rejection(client.predict(request)),
          ]) {
            assert.deepEqual([error.code, error.route, error.attempts], ['bad-request', 'fatal', 0]);
            assert.match(error.message, expected);
            assert.ok(error.message.length < 300);
          }
          assert.equal(server.requests.length, 0);
        },
      ));
  }
});

describe('client.predict', () => {
  it('adds up the predictions of the chunks and returns the start of each', () =>
    withService(
      ({ json }) => ({ body: { duration: numberOf(json) } }),
      async (client) => {
        const { duration, chunks } = await client.predict({ ...voice, text: longText(3) });
        assert.equal(duration, 6);
        assert.deepEqual(
          chunks.map(({ text, start, duration }) => [text, start, duration]),
          [
            [sentence(1), 0, 1],
            [sentence(2), 1, 2],
            [sentence(3), 3, 3],
          ],
        );
      },
    ));

  it('counts emoji as two characters, sends at most 300 per request, and cuts no emoji', () =>
    withService(
      () => ({ body: { duration: 1 } }),
      async (client, { requests }) => {
        const text = `a${'😀'.repeat(400)} end`;
        const { chunks } = await client.predict({ ...voice, text });
        const sent = requests.map(({ json }) => String(json['text']));
        assert.ok(sent.length >= 1 && sent.every(({ length }) => length <= 300));
        assert.doesNotMatch(sent.join('|'), /\p{Surrogate}/u);
        assert.equal(chunks.length, sent.length);
        const exact = `a${'😀'.repeat(149)}b`;
        assert.equal((await client.predict({ ...voice, text: exact })).chunks.length, 1);
      },
    ));

  it('accepts predictions longer than a minute', () =>
    withService(
      () => ({ body: { duration: 152.9 } }),
      async (client) => assert.equal((await client.predict({ ...voice, text: '7,777,777' })).duration, 152.9),
    ));

  it('returns the prediction of the service for a text of one chunk', () =>
    withService(
      () => ({ body: { duration: 1.25 } }),
      async (client) => assert.equal((await client.predict({ ...voice, text: 'Hello' })).duration, 1.25),
    ));
});
