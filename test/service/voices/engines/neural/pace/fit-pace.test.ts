import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fitPace, type PaceSample } from '../../../../../../service/voices/engines/neural/pace/fit-pace.js';
import { secondsOfSentence } from '../../../../../../service/voices/engines/neural/pace/pace.js';
import { installStub } from '../../../../../support/natural/installed-stub.js';

const FRAME = 256 / 22_050;
const [START, END, FIRST_SOUND] = [1, 2, 14];
/** Frames of start and end, and seconds of the first and the last sound below the threshold of hearing. */
const [EDGE, INAUDIBLE] = [5, 0.03];

/** A sentence of a model whose last four sounds take half as long again, as in human speech. */
function sentenceOf(count: number, seed: number): PaceSample & { sounds: number[] } {
  const sounds = Array.from({ length: count }, (_, index) => FIRST_SOUND + ((index * 7 + seed) % 40));
  const frames = sounds.map((id, index) => (6 + (id % 5)) * (index < count - 4 ? 1 : 1.5));
  const padded = sounds.flatMap((id) => [id, 0]).slice(0, -1);
  const durations = [EDGE, 2, ...frames.flatMap((length) => [length, 2]).slice(0, -1), 2, EDGE];
  const spoken = durations.slice(2, -2).reduce((sum, length) => sum + length, 0) * FRAME;
  return {
    ids: [START, 0, ...padded, 0, END],
    sounds: [...padded, 0],
    durations,
    stretch: 1,
    seconds: spoken + (2 * EDGE + 4) * FRAME,
    audible: spoken - INAUDIBLE,
  };
}

describe('the pace of a natural voice', () => {
  it('has no bias for sentences shorter or longer than the measured sentences', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'herald-pace-'));
    const { config } = await installStub(folder, { name: 'en_US-pace-medium' });
    await rm(folder, { recursive: true });
    const measured = Array.from({ length: 8 }, (_, seed) => sentenceOf(60, 5 * seed));
    const pace = fitPace(config, measured);
    for (const count of [12, 25, 60, 150]) {
      const others = Array.from({ length: 10 }, (_, seed) => sentenceOf(count, 3 * seed + 1));
      const spoken = others.reduce((sum, { audible }) => sum + audible, 0);
      const predicted = others.reduce((sum, { sounds }) => sum + secondsOfSentence(pace, sounds, 1), 0);
      assert.ok(Math.abs(predicted / spoken - 1) < 0.01, `${count} sounds: ${predicted} for ${spoken} s`);
    }
  });
});
