import assert from 'node:assert/strict';
import { inspectAudio } from '@herald-speech/client';
import { startEncoder } from '../../../../service/kit/audio/encoder.js';
import { decodeMp3 } from '../../../../service/kit/audio/mp3.js';
import { speechInfoFrame } from '../../../../service/kit/audio/mp3-header.js';

const QUIET = 3000;

/** A tone between silences, so that its start and end are measurable. */
function beep(rate: number, seconds: number): Int16Array {
  const [start, end] = [0.25 * seconds * rate, 0.75 * seconds * rate];
  return Int16Array.from({ length: Math.round(seconds * rate) }, (_, index) =>
    index < start || index >= end ? 0 : Math.round(12_000 * Math.sin((2 * Math.PI * 500 * index) / rate)),
  );
}

/** Returns the times of the first and the last loud sample, and the total duration, in seconds. */
async function heard(file: Uint8Array) {
  const { samples, sampleRate } = (await decodeMp3(file, 60)) ?? assert.fail('expected audio');
  const isLoud = (sample: number) => Math.abs(sample) * 32_768 > QUIET;
  return {
    start: samples.findIndex(isLoud) / sampleRate,
    end: samples.findLastIndex(isLoud) / sampleRate,
    seconds: samples.length / sampleRate,
  };
}

const near = (actual: number, expected: number, by: number) =>
  assert.ok(Math.abs(actual - expected) < by, `${actual}, not ${expected}`);

describe('an MP3 of speech', () => {
  for (const rate of [8000, 16_000, 22_050, 24_000, 44_100, 48_000]) {
    const encoded = async (seconds: number) => {
      const encoder = await startEncoder('mp3', rate);
      const samples = beep(rate, seconds);
      const half = Math.round(samples.length / 2);
      const pieces = [samples.subarray(0, half), samples.subarray(half)];
      return Buffer.concat([...pieces.map((piece) => encoder.encode(piece)), encoder.end()]);
    };

    it(`at ${rate} Hz plays exactly as long as the speech, at the same times, for any length`, async () => {
      for (const seconds of [0.1, 0.31, 0.54, 1, 3]) {
        const frames = await encoded(seconds);
        const file = Buffer.concat([speechInfoFrame(frames, seconds), frames]);
        const { duration, format } = inspectAudio(file);
        assert.equal(format, 'mp3');
        near(duration, seconds, 1 / 48_000);
        const { start, end, seconds: played } = await heard(file);
        near(played, seconds, 2 / 48_000);
        near(start, 0.25 * seconds, 0.003);
        near(end, 0.75 * seconds, 0.003);
      }
    });

    it(`at ${rate} Hz is complete without a declared length, and at most a frame longer`, async () => {
      for (const seconds of [0.1, 0.31, 1]) {
        const frames = await encoded(seconds);
        const { duration } = inspectAudio(Buffer.concat([speechInfoFrame(frames), frames]));
        assert.ok(duration >= seconds && duration < seconds + 1152 / 48_000, `${duration}, not ${seconds}`);
      }
    });
  }

  it('has no header if it has no frames', () => {
    assert.equal(speechInfoFrame(new Uint8Array()).length, 0);
    assert.equal(speechInfoFrame(new Uint8Array(), 0).length, 0);
  });
});
