import assert from 'node:assert/strict';
import { measureLoudness } from '@herald-speech/client/audio';
import { startPeaks } from '../../../../client/audio/loudness/true-peak.js';
import { toFloat } from '../../../../service/kit/audio/samples.js';
import type { Engine, EngineVoice } from '../../../../service/voices/engines/engine.js';
import { loadEngines } from '../../../../service/voices/engines/engines.js';
import { EspeakChild } from '../../../../service/voices/engines/espeak/espeak-child.js';
import { espeakSettings } from '../../../../service/voices/engines/espeak/settings.js';
import { espeakVoices } from '../../../../service/voices/engines/espeak/voices.js';
import { fliteVoices } from '../../../../service/voices/engines/flite/voices.js';
import { loudnessOfVoices } from '../../../../service/voices/engines/loudness-of-voices.js';
import { testSentences } from '../../../../service/voices/engines/test-sentences.js';
import { forever, neutral } from './neural/support.js';

/** All voices of Flite, and eSpeak's women, children and men in turn. The test below checks that each voice has a gain. */
const SPOKEN = [...fliteVoices, ...espeakVoices.filter((_, place) => place % 20 === 0)];

describe('the loudness of the simple voices', () => {
  const engines = new Map<string, Engine>();
  const espeak = new EspeakChild();
  before(async () => {
    for (const { id, start } of await loadEngines()) engines.set(id, await start(undefined));
  });
  after(async () => {
    for (const engine of engines.values()) await engine.close?.();
    await espeak.close();
  });

  async function spoken({ id, languages: [language = ''] }: EngineVoice, text: string) {
    const engine = engines.get(fliteVoices.some((voice) => voice.id === id) ? 'flite' : 'espeak');
    assert.ok(engine !== undefined);
    const samples: number[] = [];
    let rate = 0;
    for await (const piece of engine.speak({ voice: id, text, language, delivery: neutral }, forever)) {
      samples.push(...toFloat(piece.samples));
      rate = piece.sampleRate;
    }
    return { samples: Float32Array.from(samples), rate };
  }

  for (const voice of SPOKEN) {
    it(`is -19 LUFS within 1 LU, with peaks of -1 dBTP at most: ${voice.id}`, async () => {
      const { samples, rate } = await spoken(voice, testSentences(voice.languages[0] ?? '').join(' '));
      const loudness = measureLoudness(samples, rate);
      assert.ok(Math.abs(loudness + 19) <= 1, `${loudness} LUFS`);
      const peak = startPeaks(rate)
        .push(samples)
        .reduce((highest, value) => Math.max(highest, value), 0);
      assert.ok(20 * Math.log10(peak) < -0.9, `${20 * Math.log10(peak)} dBTP`);
    });
  }

  it('is measured for each voice', () => {
    const missing = [...fliteVoices, ...espeakVoices].filter(({ id }) => loudnessOfVoices[id] === undefined);
    assert.deepEqual(missing, []);
  });

  it('differs between the sentences of a voice as much as without a gain', async () => {
    const voice = espeakVoices.find(({ id }) => id === 'en-poppy');
    assert.ok(voice !== undefined);
    const gains: number[] = [];
    for (const text of testSentences('en').slice(0, 4)) {
      const { samples, rate } = await spoken(voice, text);
      const raw = await espeak.utter({ voice: voice.espeakName, text, ...espeakSettings(neutral, 1) });
      gains.push(measureLoudness(samples, rate) - measureLoudness(toFloat(raw.samples), raw.sampleRate));
    }
    assert.ok(Math.max(...gains) - Math.min(...gains) < 0.2, gains.join());
  });
});
