import assert from 'node:assert/strict';
import { createClient } from '@herald-speech/client';
import { describeWith } from '../support/programs/describe-with.js';
import { startTestService } from '../support/service/service.js';
import { loudnessOf, played, rendered, soxPeakOf, tone, wav } from './tools.js';

const texts = [
  'Attention please.',
  'The train leaves from platform nine.',
  'Yes.',
  'We apologise for the delay of the train.',
];

/** Two engines with different sample rates and levels. */
const voices = ['rms', 'en-oliver'];

describeWith(['ffmpeg', 'sox'], 'the loudness of speech', () => {
  const speech = new Map<string, Uint8Array[]>();
  before(async () => {
    const service = await startTestService();
    const client = createClient({ url: service.url, apiKey: service.key });
    try {
      for (const voice of voices) {
        const pieces: Uint8Array[] = [];
        for (const text of texts)
          pieces.push((await client.speak({ voice_id: voice, text, language: 'en' })).audio);
        speech.set(voice, pieces);
      }
    } finally {
      await client.close();
      await service.close();
    }
  });

  const announcement = { silenceBefore: 0.5, silenceAfter: 1, gap: 0.4, chime: 'ding-dong' } as const;
  const outputs = [
    [-14, 'wav-16000', {}],
    [-19, 'mp3', announcement],
    [-23, 'unchanged', {}],
    [-16, 'wav-8000-mulaw', announcement],
    [-16, 'snapcast', announcement],
  ] as const;
  for (const voice of voices) {
    // The format does not depend on the voice: the second one is tested with the first formats only.
    for (const [loudness, format, dressing] of voice === 'rms' ? outputs : outputs.slice(0, 2)) {
      it(`is ${loudness} LUFS within 0.5 LU: ${voice}, ${format}${'chime' in dressing ? ', announcement' : ''}`, async () => {
        const audio = await rendered(speech.get(voice) ?? [], format, { ...dressing, loudness });
        const measured = await loudnessOf(audio);
        assert.ok(Math.abs(measured.loudness - loudness) <= 0.5, `${measured.loudness} LUFS`);
        assert.ok(measured.peak <= -1, `${measured.peak} dBTP`);
      });
    }

    const formats = ['wav-8000-mulaw', 'mp3-128-44100', 'unchanged', 'wav-48000', 'mp3', 'alexa'];
    for (const format of voice === 'rms' ? formats : formats.slice(0, 2)) {
      it(`has no peak above -1 dBTP on two meters at -16 LUFS: ${voice}, ${format}`, async () => {
        // One short and one longer text: further texts pass through the same limiter.
        const pieces = speech.get(voice)?.slice(2) ?? [];
        const audio = await rendered(pieces, format, { loudness: -16 });
        const peaks = [(await loudnessOf(audio)).peak, await soxPeakOf(audio)];
        assert.ok(Math.max(...peaks) <= -1, `${peaks.join(' and ')} dBTP`);
      });
    }

    it(`is the same for a short text between silences: ${voice}`, async () => {
      const [, , yes = new Uint8Array()] = speech.get(voice) ?? [];
      const audio = await rendered([yes], 'wav-22050', { loudness: -16, silenceBefore: 1, silenceAfter: 1 });
      assert.ok(Math.abs((await loudnessOf(audio)).loudness + 16) <= 0.5);
    });
  }

  it('applies to MP3 pieces, and leaves silence silent', async () => {
    const mp3 = (await rendered(speech.get('rms') ?? [], 'mp3')).bytes;
    const audio = await rendered([mp3, wav(new Float32Array(8000))], 'wav-24000', { loudness: -20 });
    assert.ok(Math.abs((await loudnessOf(audio)).loudness + 20) <= 0.5);
    assert.ok((await played(audio)).subarray(-8000).every((sample) => sample === 0));
  });

  it('changes by the volume', async () => {
    const audio = await rendered(speech.get('en-oliver') ?? [], 'wav-16000', { loudness: -20, volume: 50 });
    assert.ok(Math.abs((await loudnessOf(audio)).loudness + 26) <= 0.5);
  });

  it('remains even over short pieces in a row', async () => {
    const pieces = [16_000, 22_050].map((sampleRate) =>
      wav(tone({ seconds: 0.4, hertz: 220, level: 0.4, sampleRate }), sampleRate),
    );
    const audio = await rendered(pieces, 'wav-24000', { loudness: -20, repeat: 2 });
    const samples = await played(audio);
    const levels = audio.parts.map(({ start, duration }) => {
      const part = samples.subarray((start + 0.1) * 24_000, (start + duration - 0.05) * 24_000);
      return part.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), 0);
    });
    assert.ok(Math.max(...levels) < 2.1 * Math.min(...levels), levels.join(' '));
  });

  it('changes without a step between a quiet and a loud piece of one sound', async () => {
    const quiet = tone({ seconds: 1, level: 0.05, hertz: 200 });
    const loud = tone({ seconds: 1, level: 0.5, hertz: 200 });
    const samples = await played(await rendered([wav(quiet), wav(loud)], 'unchanged', { loudness: -23 }));
    const limit = ((2 * Math.PI * 200) / 16_000) * 0.2;
    for (let at = 1; at < samples.length; at += 1)
      assert.ok(Math.abs((samples[at] ?? 0) - (samples[at - 1] ?? 0)) < limit, `sample ${at}`);
  });
});
