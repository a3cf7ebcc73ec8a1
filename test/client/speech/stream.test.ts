import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { joinAudio } from '../../../client/audio/index.js';
import type { Client } from '../../../client/index.js';
import type { FinishedChunks } from '../../../client/speech/finished-chunks.js';
import type { StreamOptions } from '../../../client/speech/open-text.js';
import type { SpeechPiece } from '../../../client/speech/stream.js';
import { wavOf } from '../../support/audio-files.js';
import { withService } from '../../support/service/client-for.js';
import { rejection } from '../../support/rejection.js';
import { refused, type Script, type Seen, spoken } from '../../support/net/scripted-server.js';
import { until } from '../../support/waiting.js';

const voice = { voice_id: 'v1', language: 'en' };
/** About 180 characters, so that each sentence is a chunk. */
const sentence = (number: number) => `Sentence ${number} ${'goes on and on '.repeat(11)}to its end.`;
const longText = (count: number) =>
  Array.from({ length: count }, (_, index) => sentence(index + 1)).join(' ');
const numberOf = ({ json }: Pick<Seen, 'json'>) => Number(/^Sentence (\d+)/.exec(String(json['text']))?.[1]);
const request = (count: number) => ({ ...voice, text: longText(count) });
const textsOf = (requests: readonly Seen[]) => requests.map(({ json }) => String(json['text']));

async function collect(pieces: AsyncIterable<SpeechPiece>): Promise<SpeechPiece[]> {
  const all: SpeechPiece[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

const streamed = (client: Client, text: string, options?: StreamOptions) =>
  collect(client.stream({ ...voice, text }, options));

describe('client.stream', () => {
  it('yields the pieces in order with their places and times, even if the replies are not in order', () =>
    withService(
      async (seen) => {
        await delay(numberOf(seen) % 2 === 0 ? 1 : 20);
        const seconds = numberOf(seen) / 10;
        const { headers, body } = spoken({ value: numberOf(seen), seconds });
        return { headers: { ...headers, 'x-audio-length': String(seconds) }, body };
      },
      async (client) => {
        const pieces = await streamed(client, longText(5));
        assert.deepEqual(
          pieces.map(({ index, count, text, start, duration, chargedSeconds }) => [
            index,
            count,
            text,
            start,
            duration,
            chargedSeconds,
          ]),
          [0, 0.1, 0.3, 0.6, 1].map((start, index) => {
            const seconds = (index + 1) / 10;
            return [index, 5, sentence(index + 1), start, seconds, seconds];
          }),
        );
        assert.ok(
          pieces.every(({ cached, format, mime }) => !cached && format === 'wav' && mime === 'audio/wav'),
        );
        const joined = joinAudio(pieces.map(({ audio }) => audio));
        const speech = await client.speak(request(5), { mark: false });
        assert.deepEqual(speech.audio, joined.audio);
      },
    ));

  it('gives each piece its place in the text as sent', () =>
    withService(
      () => spoken(),
      async (client) => {
        const pronunciations = [{ word: 'Sentence', replacement: 'The sentence' }];
        const text = `  <b>${sentence(1)}</b> ${sentence(2)}\n\n${sentence(3)} `;
        const options = { pronunciations, markup: 'remove' } as const;
        const speech = await client.speak({ ...voice, text }, options);
        const pieces = await streamed(client, text, options);
        assert.ok(speech.text.includes('The sentence 3'));
        for (const piece of pieces)
          assert.equal(piece.text, speech.text.slice(piece.offset, piece.offset + piece.text.length));
        assert.equal(pieces.length, 3);
      },
    ));

  it('yields the first piece before the service replies to other requests', () =>
    withService(
      (seen) => (numberOf(seen) === 1 ? spoken() : new Promise(() => {})),
      async (client) => {
        const pieces = client.stream(request(6));
        assert.equal((await pieces.next()).value?.index, 0);
        await pieces.return();
      },
    ));

  it('sends no request while 2 x `concurrency` pieces wait for a slow caller', () =>
    withService(
      () => spoken({ seconds: 0.01 }),
      async (client, { requests }) => {
        const pieces = client.stream(request(20));
        assert.equal(requests.length, 0);
        await pieces.next();
        await until(() => requests.length === 5);
        await delay(30);
        assert.equal(requests.length, 5);
        await pieces.next();
        await until(() => requests.length === 6);
        await pieces.return();
      },
      { concurrency: 2 },
    ));

  it('keeps `concurrency` requests in work while the caller handles a piece', () =>
    withService(
      (seen) => (numberOf(seen) <= 2 ? spoken() : new Promise(() => {})),
      async (client, { requests }) => {
        const pieces = client.stream(request(20));
        await pieces.next();
        await until(() => requests.length === 5);
        await pieces.return();
      },
      { concurrency: 3 },
    ));

  it('aborts all requests if the caller leaves the loop', () => {
    const stopped = new Set<number>();
    const script: Script = (seen) => {
      if (numberOf(seen) === 1) return spoken();
      seen.gone.addEventListener('abort', () => stopped.add(numberOf(seen)));
      return new Promise(() => {});
    };
    return withService(script, async (client, { requests }) => {
      for await (const _first of client.stream(request(8))) {
        await until(() => requests.length === 5);
        break;
      }
      await until(() => stopped.size === 4);
      assert.equal(requests.length, 5);
    });
  });

  it('ends at once if `return` is called while a piece is awaited', () =>
    withService(
      () => new Promise(() => {}),
      async (client, { requests }) => {
        for (const text of [longText(3), 'Hello']) {
          requests.length = 0;
          const pieces = client.stream({ ...voice, text });
          const next = rejection(pieces.next());
          await until(() => requests.length > 0);
          assert.deepEqual(await pieces.return(), { done: true, value: undefined });
          assert.equal((await next).code, 'aborted');
        }
      },
    ));

  it('rejects with aborted when the signal fires, also while pieces wait', () =>
    withService(
      () => spoken(),
      async (client, { requests }) => {
        const controller = new AbortController();
        const pieces = client.stream(request(12), { signal: controller.signal });
        await pieces.next();
        await until(() => requests.length === 9);
        controller.abort();
        assert.equal((await rejection(pieces.next())).code, 'aborted');
        assert.equal(
          (await rejection(streamed(client, 'Hi', { signal: controller.signal }))).code,
          'aborted',
        );
        assert.equal(requests.length, 9);
      },
    ));

  it('yields the pieces before a failed one, aborts the ones after it, and names it', () => {
    const stopped = new Set<number>();
    const script: Script = async (seen, index) => {
      if (numberOf(seen) === 1) await delay(20);
      if (numberOf(seen) < 3) return spoken();
      if (numberOf(seen) === 3) return refused(403);
      if (index >= 4) return spoken();
      seen.gone.addEventListener('abort', () => stopped.add(numberOf(seen)));
      return new Promise(() => {});
    };
    return withService(script, async (client) => {
      const seen: number[] = [];
      const error = await rejection(
        (async () => {
          for await (const { index } of client.stream(request(8))) seen.push(index);
        })(),
      );
      assert.deepEqual(seen, [0, 1]);
      assert.deepEqual([error.code, error.chunk?.index, error.chunk?.count], ['forbidden', 2, 8]);
      assert.match(error.message, /^chunk 3 of 8: /);
      await until(() => stopped.has(4));
    });
  });

  it('sends nothing before the first read, and rejects an invalid request there', () =>
    withService(
      () => spoken(),
      async (client, { requests }) => {
        const pieces = client.stream({ ...voice, text: '?!' });
        assert.equal((await rejection(pieces.next())).code, 'bad-request');
        assert.equal(requests.length, 0);
      },
    ));

  it('starts at the piece `first`', () =>
    withService(
      () => spoken(),
      async (client, { requests }) => {
        const pieces = await streamed(client, longText(5), { first: 3 });
        assert.deepEqual(
          pieces.map(({ index, count, text, start }) => [index, count, text, start]),
          [
            [3, 5, sentence(4), 0],
            [4, 5, sentence(5), 0.1],
          ],
        );
        assert.deepEqual(new Set(textsOf(requests)), new Set([sentence(4), sentence(5)]));
        assert.deepEqual(await streamed(client, longText(5), { first: 5 }), []);
      },
    ));

  it('speaks a text that is too long for `speak`', () =>
    withService(
      () => spoken({ seconds: 0.01 }),
      async (client, { requests }) => {
        assert.equal((await rejection(client.speak(request(6)))).code, 'bad-request');
        assert.equal(requests.length, 0);
        assert.equal((await streamed(client, longText(6))).length, 6);
      },
      { maxTextLength: 1000 },
    ));

  it('writes the length into the header of a WAV that lacks it', () =>
    withService(
      () => {
        const wav = Buffer.from(wavOf());
        wav.writeUInt32LE(0xffffffff, 4);
        wav.writeUInt32LE(0xffffffff, 40);
        return { headers: { 'content-type': 'audio/wav' }, body: wav };
      },
      async (client) => {
        for (const { audio } of await streamed(client, longText(2)))
          assert.deepEqual(audio, new Uint8Array(wavOf()));
      },
    ));

  it('shifts phonemes to the time of their piece', () =>
    withService(
      () => ({
        body: {
          audio_base64: wavOf({ seconds: 0.5 }).toString('base64'),
          phonemes: { symbols: ['a'], start_times_seconds: [0.25], durations_seconds: [0.25] },
        },
      }),
      async (client) => {
        const pieces = await streamed(client, longText(3));
        assert.deepEqual(
          pieces.map(({ phonemes }) => phonemes?.start_times_seconds),
          [[0.25], [0.75], [1.25]],
        );
      },
    ));

  it('gives the warnings of the text with the first piece, and the one of an approximated voice once', () =>
    withService(
      () => ({ headers: { 'content-type': 'audio/wav', 'x-voice-approximate': 'true' }, body: wavOf() }),
      async (client) => {
        const pieces = await streamed(client, `#1 ${longText(3)}`);
        const keys = pieces.map(({ warningTexts }) => warningTexts.map(({ key }) => key));
        assert.deepEqual(keys, [
          ['warning-replaced', 'warning-approximate'],
          ...pieces.slice(1).map(() => []),
        ]);
      },
    ));

  it('names the simple voice that spoke a piece, and ignores an invalid name', () =>
    withService(
      (_seen, index) => {
        const voice = ['slt', 'not a voice'][index];
        const headers = { 'content-type': 'audio/wav', ...(voice && { 'x-voice-fallback': voice }) };
        return { headers, body: wavOf() };
      },
      async (client) => {
        const pieces = await streamed(client, longText(3));
        assert.deepEqual(
          pieces.map(({ voiceFallback }) => voiceFallback),
          ['slt', undefined, undefined],
        );
      },
      { concurrency: 1 },
    ));

  it('warns once why a voice failed, and again for another reason, and ignores a damaged reason', () =>
    withService(
      (_seen, index) => {
        const reason = ['no%20memory', 'no%20memory', 'killed%0Aby 9', '%E4'][index] ?? 'gone';
        const fallback = { 'x-voice-fallback': 'slt', 'x-voice-fallback-reason': reason };
        return { headers: { 'content-type': 'audio/wav', ...fallback }, body: wavOf() };
      },
      async (client) => {
        const pieces = await streamed(client, longText(4));
        const [first, second, third, last] = pieces.map(({ warningTexts }) => warningTexts);
        assert.equal(
          first?.[0]?.english,
          `the voice ${pieces[0]?.voice.voice_id} failed, so slt spoke: no memory`,
        );
        assert.deepEqual([second, last], [[], []]);
        assert.match(third?.[0]?.english ?? '', /: killed by 9$/);
        assert.equal(pieces[3]?.voiceFallbackReason, undefined);
      },
      { concurrency: 1 },
    ));

  it('divides the voice setting duration among the pieces', () =>
    withService(
      ({ path }) => (path.startsWith('/v1/predict-duration/') ? { body: { duration: 1 } } : spoken()),
      async (client, { requests }) => {
        await collect(
          client.stream({ ...request(4), voice_settings: { duration: 20 } }, { quickStart: true }),
        );
        const shares = requests
          .filter(({ path }) => path.startsWith('/v1/text-to-speech/'))
          .map(({ json }) => json['voice_settings']);
        assert.deepEqual(shares, [{ duration: 5 }, { duration: 5 }, { duration: 5 }, { duration: 5 }]);
      },
    ));
});

describe('the pieces of a text', () => {
  const short =
    'The door is open. Please close it now, because the heating is on. Thank you very much for all of your help!';

  it('are sentences if `sentences` is set', () =>
    withService(
      () => spoken(),
      async (client, { requests }) => {
        await streamed(client, short, { sentences: true });
        assert.equal(requests.length, 3);
        await client.speak({ ...voice, text: short, normalized_text: short }, { sentences: true });
        assert.equal(requests.length, 4);
      },
    ));

  it('start with a short one if `quickStart` is set and the text needs several requests', () =>
    withService(
      () => spoken(),
      async (client, { requests }) => {
        const [first] = await streamed(client, `${short} ${short} ${short}`, { quickStart: true });
        assert.equal(first?.text, 'The door is open. Please close it now, because the heating is on.');
        assert.equal(requests.length, 2);
        await streamed(client, short, { quickStart: true });
        assert.equal(requests.length, 3);
      },
    ));

  it('have the replacements of `pronunciations`, after markup is removed and before the text is cut', () =>
    withService(
      ({ path }) => (path.startsWith('/v1/predict-duration/') ? { body: { duration: 1 } } : spoken()),
      async (client, { requests }) => {
        const pronunciations = [
          { word: 'C#', replacement: 'C sharp' },
          { word: 'Worb', replacement: 'Wobb', language: 'en' },
          { word: 'b', replacement: 'bee' },
        ];
        const text = '<b>Worb</b> plays C#.';
        const speech = await client.speak({ ...voice, text }, { pronunciations, markup: 'remove' });
        const [piece] = await streamed(client, text, { pronunciations, markup: 'remove' });
        const { chunks } = await client.predict({ ...voice, text }, { pronunciations, markup: 'remove' });
        const expected = 'Wobb plays C sharp.';
        assert.deepEqual([speech.text, piece?.text, chunks[0]?.text], [expected, expected, expected]);
        assert.deepEqual(new Set(textsOf(requests)), new Set([expected]));
        const long = { word: 'it', replacement: `it ${'really '.repeat(40)}` };
        const pieces = await streamed(client, 'So it is. And it was. ', { pronunciations: [long] });
        assert.equal(pieces.length, 2);
      },
    ));

  it('are rejected if replacements leave no letter or digit', () =>
    withService(
      () => spoken(),
      async (client) => {
        const pronunciations = [{ word: 'hm', replacement: '…' }];
        const error = await rejection(client.speak({ ...voice, text: 'Hm!' }, { pronunciations }));
        assert.match(error.message, /^text is "…!": .*letter or digit/);
      },
    ));
});

describe('a repeated stream', () => {
  it('requests only the missing chunks if `finished` has the chunks of an earlier one', () => {
    let broken = true;
    const script: Script = (seen) => (numberOf(seen) === 4 && broken ? refused(403) : spoken());
    return withService(script, async (client, { requests }) => {
      const finished: FinishedChunks = new Map();
      await rejection(streamed(client, longText(5), { finished }));
      const before = new Set(requests.map(numberOf));
      assert.ok(before.has(3));
      broken = false;
      requests.length = 0;
      assert.equal((await streamed(client, longText(5), { finished })).length, 5);
      assert.ok(requests.map(numberOf).every((number) => number >= 4));
    });
  });
});

describe('the audio of client.speak', () => {
  it('is limited by maxAudioBytes, with an error that names the fix', () =>
    withService(
      () => spoken({ seconds: 1 }),
      async (client, { requests }) => {
        const bytes = wavOf({ seconds: 1 }).length;
        const error = await rejection(client.speak(request(12)));
        assert.deepEqual([error.code, error.route], ['too-large', 'fatal']);
        assert.match(error.message, new RegExp(`more than ${bytes * 2} bytes.*file or a URL`));
        assert.ok(requests.length < 12);
        assert.equal((await client.speak(request(2))).chunks.length, 2);
        assert.equal((await streamed(client, longText(5))).length, 5);
      },
      { maxAudioBytes: wavOf({ seconds: 1 }).length * 2 },
    ));
});
