import assert from 'node:assert/strict';
import { checkChime, checkDressing, chimes, noDressing, OptionError } from '@herald-speech/audio';
import { wavHeader } from '@herald-speech/client/audio';
import { highestStep, rendered, samplesOf, Source, tone, wav } from './tools.js';

const RATE = 16_000;
const speech = wav(tone({ seconds: 0.5 }));
/** A file that ends with a loud sample. */
const cutOff = wav(tone({ seconds: 0.5, phase: 1 }));

describe('checkDressing', () => {
  it('completes missing fields', () => {
    assert.deepEqual(checkDressing({}), noDressing);
    assert.deepEqual(checkDressing({ gap: 1, chime: 'gong' }), { ...noDressing, gap: 1, chime: 'gong' });
  });

  for (const [name, value] of [
    ['silenceBefore', -1],
    ['silenceAfter', 61],
    ['gap', Number.NaN],
    ['repeat', 1.5],
    ['repeat', 0],
    ['volume', -5],
    ['loudness', 0],
    ['loudness', '-23'],
    ['chime', 'bing'],
    ['chime', ''],
    ['chime', 7],
  ] as const) {
    it(`rejects ${name} ${JSON.stringify(value)} with the rule`, () => {
      assert.throws(
        () => checkDressing({ [name]: value }),
        (error) =>
          error instanceof OptionError && error.field === name && error.message.startsWith(`${name} is `),
      );
    });
  }
});

describe('checkChime', () => {
  it('accepts built-in chimes and files with audio', () => {
    for (const chime of [...chimes, speech]) assert.equal(checkChime(chime), chime);
  });

  it('rejects bytes without audio', () => {
    const problem = /^chime is a Buffer of \d+ bytes: expected a WAV or MP3 file with sound: /;
    for (const bytes of [
      Buffer.from('<html>'),
      Buffer.alloc(0),
      speech.subarray(0, 44),
      speech.subarray(0, 900),
    ])
      assert.throws(() => checkChime(bytes), { name: 'OptionError', message: problem });
  });

  it('rejects a sample format that it cannot decode', () => {
    const format = { encoding: 'pcm', channels: 1, sampleRate: RATE, bitsPerSample: 64 } as const;
    const large = Buffer.concat([wavHeader(format, 800), Buffer.alloc(800)]);
    assert.throws(() => checkChime(large), /64 bits per sample: expected at most 32$/);
  });

  it('rejects a file of more than 30 seconds', () => {
    assert.throws(() => checkChime(wav(new Float32Array(31 * RATE))), /at most 30 s/);
  });
});

describe('the dressing of speech', () => {
  it('adds silences to one sample, and leaves the samples of the speech', async () => {
    const { bytes, parts } = await rendered([speech], 'unchanged', {
      silenceBefore: 0.75,
      silenceAfter: 0.25,
    });
    const samples = samplesOf(bytes);
    assert.equal(samples.length, 1.5 * RATE);
    assert.ok(samples.subarray(0, 0.75 * RATE).every((sample) => sample === 0));
    assert.ok(samples.subarray(1.25 * RATE).every((sample) => sample === 0));
    assert.deepEqual(samples.slice(0.75 * RATE, 1.25 * RATE), samplesOf(speech));
    assert.deepEqual([parts[0]?.start, parts[0]?.duration], [0.75, 0.5]);
  });

  it('adds a gap between pieces, a pause between repetitions, and neither at the end', async () => {
    const { bytes, parts } = await rendered([speech, speech], 'unchanged', { gap: 0.2, repeat: 2 });
    assert.equal(samplesOf(bytes).length, (4 * 0.5 + 2 * 0.2 + 1) * RATE);
    assert.deepEqual(
      parts.map(({ start, repetition, piece }) => [Number(start.toFixed(6)), repetition, piece.index]),
      [
        [0, 0, 0],
        [0.7, 0, 1],
        [2.2, 1, 0],
        [2.9, 1, 1],
      ],
    );
  });

  it('repeats more audio than it keeps in memory', async () => {
    const long = wav(tone({ seconds: 50, sampleRate: 48_000 }), 48_000);
    const short = wav(tone({ seconds: 0.5, sampleRate: 48_000 }), 48_000);
    const { bytes } = await rendered([short, long, short], 'unchanged', { repeat: 2 });
    const samples = samplesOf(bytes);
    const half = 51 * 48_000;
    assert.equal(samples.length, 2 * half + 48_000);
    assert.ok(samples.slice(0, half).every((sample, at) => sample === samples[half + 48_000 + at]));
  });

  for (const chime of [...chimes, wav(tone({ seconds: 0.3, hertz: 880, sampleRate: 44_100 }), 44_100)]) {
    const name = typeof chime === 'string' ? chime : 'a file';
    it(`plays ${name} before the speech, without a click`, async () => {
      const plain = samplesOf((await rendered([speech], 'unchanged', { chime })).bytes);
      const lead = plain.subarray(0, plain.length - 0.5 * RATE);
      assert.ok(lead.length >= 0.3 * RATE && lead.some((sample) => Math.abs(sample) > 3000));
      const inside = Math.max(highestStep(lead), highestStep(samplesOf(speech)));
      assert.ok(highestStep(plain) <= inside + 1);
    });
  }

  it('plays the chime once', async () => {
    const once = await rendered([speech], 'unchanged', { chime: 'gong' });
    const twice = await rendered([speech], 'unchanged', { chime: 'gong', repeat: 2 });
    assert.equal(twice.bytes.length - once.bytes.length, (0.5 + 1) * RATE * 2);
  });

  it('has no sample step at a seam above those inside the pieces', async () => {
    const inside = highestStep(samplesOf(speech));
    const dressings = [
      {},
      { gap: 0.1 },
      { silenceAfter: 0.1 },
      { repeat: 2 },
      { chime: wav(tone({ phase: 1.5 })) },
    ];
    for (const dressing of dressings) {
      for (const format of ['wav-16000', 'wav-48000', 'wav-8000']) {
        const { bytes, sampleRate } = await rendered([cutOff, speech, cutOff], format, {
          volume: 99,
          ...dressing,
        });
        // A resampler rounds the corners at the seams, and overshoots.
        const limit = (inside * RATE * (sampleRate === RATE ? 1.03 : 1.2)) / sampleRate;
        const step = highestStep(samplesOf(bytes));
        assert.ok(step <= limit, `${format} ${JSON.stringify(dressing)}: ${step}, not ${limit}`);
      }
    }
  });

  it('has no step at a seam between sample rates', async () => {
    const hertz = 220;
    const low = wav(tone({ hertz, phase: 1 }));
    const high = wav(tone({ hertz, phase: 2, sampleRate: 22_050 }), 22_050);
    for (const dressing of [{}, { repeat: 2 }, { volume: 150 }, { loudness: -20, repeat: 2 }, { gap: 0.1 }]) {
      const samples = samplesOf((await rendered([low, high], 'wav-24000', dressing)).bytes);
      const inside = (Math.max(...samples) * 2 * Math.PI * hertz) / 24_000;
      const step = highestStep(samples);
      assert.ok(step <= 1.1 * inside, `${JSON.stringify(dressing)}: ${step}, not ${inside}`);
    }
  });

  it('scales the amplitude with the volume', async () => {
    const [full, half] = [await rendered([speech]), await rendered([speech], 'unchanged', { volume: 50 })];
    const [loud, quiet] = [samplesOf(full.bytes), samplesOf(half.bytes)];
    assert.ok(loud.every((sample, at) => Math.abs(sample / 2 - (quiet[at] ?? 0)) <= 0.5));
  });

  it('limits peaks of a volume above 100 percent', async () => {
    const { bytes } = await rendered([speech], 'unchanged', { volume: 400 });
    const samples = samplesOf(bytes);
    assert.ok(samples.every((sample) => Math.abs(sample) <= Math.round(32_768 * 10 ** (-1 / 20))));
    assert.equal(samples.length, 0.5 * RATE);
  });

  it('keeps the sample format of an unchanged WAV', async () => {
    const { bytes } = await rendered([speech], 'wav-8000-mulaw');
    const again = await rendered([bytes], 'unchanged', { silenceBefore: 0.1, chime: 'gong' });
    assert.deepEqual([again.encoding, again.sampleRate, again.extension], ['mulaw', 8000, 'wav']);
    assert.ok(again.bytes.subarray(58, 58 + 800).every((byte) => byte === 0xff));
  });

  it('adds the silence at the end if fewer pieces come than announced', async () => {
    const source = new Source([speech, speech]);
    const short = {
      async *[Symbol.asyncIterator]() {
        for await (const piece of source) yield { ...piece, count: 3 };
      },
    };
    const { bytes, parts } = await rendered(Object.assign(new Source([]), short), 'unchanged', {
      silenceAfter: 1,
    });
    assert.equal(samplesOf(bytes).length, 2 * RATE);
    assert.deepEqual(parts.at(-1)?.duration, 0);
  });
});
