import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { createBreaker, figuresReading, localReading, SpeechError } from '../../../client/index.js';
import type { CallOptions } from '../../../client/calls/call-options.js';
import type { Operation } from '../../../client/interface/operation.js';
import { clientDefaults } from '../../../client/api/options.js';
import { parseAudio } from '../../../client/audio/join.js';
import { type AccountPiece, type SpeakingAccount, speakWith } from '../../../client/speech/speak-with.js';
import type { Reading } from '../../../client/text/reading.js';
import type { Features } from '../../../client/upstreams/upstream.js';
import { estimated } from '../../../client/upstreams/local-answers.js';
import { checkFeatures } from '../../../client/upstreams/features.js';
import { isSpeakable } from '../../../client/text/characters.js';
import { wavOf } from '../../support/audio-files.js';
import { withFakeClock } from '../../support/fake-clock.js';

/** Writes each figure as several words, so that a piece needs more room. */
const words = figuresReading(({ text }) => text.replaceAll('#', ' ').replaceAll(/\d/g, ' a figure '));

const all = { operations: 'all', fields: 'all', formats: ['wav', 'mp3'], estimates: false } as const;

/** Three kinds of services: the longest text, the fields, the reading and the sample rate differ. */
const services: readonly { features: Features; reading?: Reading; sampleRate: number }[] = [
  { features: { ...all, maxTextLength: 4096 }, sampleRate: 24_000 },
  {
    features: {
      operations: ['createSpeech', 'predictDuration'],
      fields: ['voice_settings.speed'],
      formats: ['wav'],
      maxTextLength: 300,
      estimates: true,
    },
    reading: words,
    sampleRate: 16_000,
  },
  { features: { ...all, maxTextLength: 300 }, reading: localReading, sampleRate: 22_050 },
];

/** The rules of a chain. */
interface Chain {
  /** Requests after which each use of each service fails; undefined for a service that does not fail. */
  failures: readonly (number | undefined)[];
  /** Whether the accounts know the limits of their fallbacks. */
  isCut: boolean;
}

/** Creates the accounts of a chain. Each reply has the text of its request as a symbol. */
function accountOf({ failures, isCut }: Chain, place = 0): SpeakingAccount {
  const service = services[place];
  assert.ok(service !== undefined);
  const { features, reading, sampleRate } = service;
  const left = [...failures];
  let requests = 0;
  const send = async (operation: Operation, request: Record<string, unknown>, _options?: CallOptions) => {
    checkFeatures(features, operation, request);
    if (operation.name === 'predictDuration') return estimated(operation, request);
    const text = String(request['text']);
    assert.ok(text.length <= features.maxTextLength, `${text.length} characters`);
    requests += 1;
    const most = left[place];
    if (most !== undefined && requests > most) throw new SpeechError('service-failed', 'planned');
    const audio = parseAudio(wavOf({ sampleRate, seconds: 0.01 }));
    const phonemes = { symbols: [text], start_times_seconds: [0], durations_seconds: [0.01] };
    const value = { audio: audio.bytes, format: 'wav', mime: 'audio/wav', duration: 0.01, phonemes };
    return { value, audio, bytes: audio.bytes.length };
  };
  const voice = async () => ({ voice_id: `v${place}`, language: 'en' });
  const client = {
    service: {
      account: { send: send as never },
      voices: { named: async () => undefined },
      features,
      settings: clientDefaults,
      reading,
      cache: undefined,
      budget: undefined,
    },
    complete: voice,
    nearest: voice,
    wish: () => ({ language: 'en' }),
    voiceName: () => undefined,
  };
  return {
    id: `account ${place}`,
    name: `account ${place}`,
    defaults: {},
    breaker: createBreaker({ failures: 1000 }),
    async connect() {
      requests = 0;
      return client;
    },
    patience: () => 60_000,
    pronunciations: () => [],
    fallback: () => (place + 1 < services.length ? accountOf({ failures, isCut }, place + 1) : undefined),
    ...(isCut && { readings: () => [words, localReading], maxPieceLength: () => 300 }),
  };
}

const word = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[a-z]{1,12}$/) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 99_999 }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom('#', 'C#', '#5', '…', '—', '😀', 'Dr.', '3.14', 'a@b.org') },
  { weight: 1, arbitrary: fc.stringMatching(/^[a-z]{100,500}$/) },
  { weight: 1, arbitrary: fc.constant('東京の天気は晴れです。'.repeat(12)) },
);
const ending = fc.constantFrom(' ', ' ', ' ', '. ', ', ', '\n\n', '? ');
const texts = fc
  .array(fc.tuple(word, ending), { minLength: 1, maxLength: 150 })
  .map((parts) => `Start ${parts.flat().join('')}`);

const spokenBy = async (
  chain: Chain,
  request: { text: string; normalized_text?: string; model?: string },
  retries = 1,
) => {
  const pieces: AccountPiece[] = [];
  const options = { quickStart: true, retries: { attempts: retries, wait: 100_000 } };
  for await (const piece of speakWith(accountOf(chain), request, options)) pieces.push(piece);
  return pieces;
};

/** Characters that a service speaks. "#" can be a space, and a piece without a letter or digit is left out. */
const letters = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Fails unless the pieces are the text, each once and in order. */
function checkPieces(text: string, pieces: readonly AccountPiece[]): void {
  assert.equal(letters(pieces.map((piece) => piece.text).join('')), letters(text));
  let end = 0;
  let seconds = 0;
  for (const [at, piece] of pieces.entries()) {
    assert.equal(piece.index, at);
    assert.ok(piece.offset >= end && !isSpeakable(text.slice(end, piece.offset)));
    assert.equal(
      piece.text,
      text
        .slice(piece.offset, piece.offset + piece.text.length)
        .replaceAll('#', (hash) => (piece.text.includes('#') ? hash : ' ')),
    );
    assert.ok(Math.abs(piece.start - seconds) < 0.001);
    const spoken = piece.phonemes?.symbols.join('') ?? '';
    const written = piece.voice.voice_id === 'v1' ? words.sent([{ text: piece.text }], 'en') : piece.text;
    assert.equal(letters(spoken), letters(written));
    end = piece.offset + piece.text.length;
    seconds += piece.duration;
  }
  assert.equal(pieces.at(-1)?.count, pieces.length);
}

describe('a text that several kinds of services speak in turn', () => {
  const failure = fc.option(fc.nat({ max: 40 }), { nil: undefined });

  it('is spoken whole, without a lost or doubled word, wherever the services fail', () =>
    fc.assert(
      fc.asyncProperty(texts, failure, failure, fc.boolean(), async (text, first, second, isCut) => {
        checkPieces(text, await spokenBy({ failures: [first, second], isCut }, { text }));
      }),
      { numRuns: 300 },
    ));

  const tale = (parts: number) =>
    Array.from({ length: parts }, (_, at) => `Part ${at} has room #${at * 111}.`).join(' ');
  const story = tale(40);
  const novel = tale(400);

  it('changes the service before each of its pieces, and keeps the borders of the pieces', async () => {
    const borders = (pieces: readonly AccountPiece[]) => pieces.map(({ offset }) => offset);
    const whole = await spokenBy({ failures: [], isCut: true }, { text: story });
    assert.ok(whole.length > 6);
    for (let first = 0; first <= whole.length; first += 1)
      for (let second = 0; first + second <= whole.length; second += 1) {
        const pieces = await spokenBy({ failures: [first, second], isCut: true }, { text: story });
        checkPieces(story, pieces);
        assert.deepEqual(borders(pieces), borders(whole));
        const voices = pieces.map(({ voice }) => Number(voice.voice_id.slice(1)));
        const expected = whole.map((_, at) => (at < first ? 0 : at < first + second ? 1 : 2));
        assert.deepEqual(voices, expected);
      }
  });

  it('is cut further if a later service takes shorter texts', async () => {
    const alone = await spokenBy({ failures: [], isCut: false }, { text: novel });
    const pieces = await spokenBy({ failures: [1, 2], isCut: false }, { text: novel });
    checkPieces(novel, pieces);
    assert.ok(alone.length < pieces.length);
    assert.equal(pieces[0]?.text, alone[0]?.text);
  });

  it('begins again with the first service at the missing piece, after all have failed', () =>
    withFakeClock(async ({ advance }) => {
      for (const isCut of [true, false]) {
        const work = spokenBy({ failures: [1, 1, 1], isCut }, { text: novel }, 100);
        await advance(60_000_000);
        const pieces = await work;
        checkPieces(novel, pieces);
        assert.deepEqual([...new Set(pieces.map(({ voice }) => voice.voice_id))], ['v0', 'v1', 'v2']);
      }
    }));

  it('has its own words only with the service that speaks all of it', async () => {
    const short = `It is ${'12 '.repeat(30)}o'clock.`;
    const request = { text: short, normalized_text: 'It is noon.', model: 'main_speech_2' };
    checkPieces(short, await spokenBy({ failures: [0, 1], isCut: true }, request));
  });
});
