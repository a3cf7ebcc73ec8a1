import assert from 'node:assert/strict';
import { localSettings, voiceSettings } from '@herald-speech/client';
import { toSynthesisRequest } from '../../../../service/voices/catalogue/speak-request.js';

const voice = {
  voice_id: 'slt',
  name: 'Selma',
  engine: 'flite',
  engineVoice: 'slt',
  languages: ['en'],
  styles: ['neutral'],
  pitchShift: 2,
  pitchVariance: 0.8,
  rate: 1.5,
} as const;

/** Returns the prosody of a request with these voice settings. The model supports all settings. */
function prosodyOf(settings: Record<string, number>) {
  const combination = { language: 'en', style: 'neutral', model: 'main_speech_1' } as const;
  const request = { voice_id: 'slt', text: 'Hi.', language: 'en', voice_settings: settings };
  return toSynthesisRequest(voice, { output_format: 'wav', include_phonemes: false, ...request }, combination)
    .delivery;
}

describe('toSynthesisRequest', () => {
  for (const [name, { max }] of Object.entries(voiceSettings)) {
    const isFollowed = localSettings.some((one) => one === name);
    it(`${isFollowed ? 'follows' : 'ignores'} the voice setting ${name}`, () => {
      const [plain, changed] = [prosodyOf({}), prosodyOf({ [name]: max })];
      if (isFollowed) assert.notDeepEqual(changed, plain);
      else assert.deepEqual(changed, plain);
    });
  }

  it('adds semitones to those of the voice, and multiplies its ratios', () => {
    const settings = { pitch_shift: -3, pitch_variance: 0.5, speed: 2, duration: 4 };
    const expected = { pitchShift: -1, pitchVariance: 0.4, speed: 3, duration: 4 };
    assert.deepEqual(prosodyOf(settings), expected);
  });
});
