import assert from 'node:assert/strict';
import { SpeechError } from '../../../client/index.js';
import { operations, type SpeechRequest } from '../../../client/interface/operations.js';
import { hosted } from '../../../client/upstreams/hosted/hosted.js';
import { checkFeatures, unsupportedFields, withoutUnsupported } from '../../../client/upstreams/features.js';
import type { Features } from '../../../client/upstreams/upstream.js';
import { settingsOf } from '../../../client/api/options.js';

/** A service that speaks with a speed, as WAV. */
const simple: Features = {
  operations: ['createSpeech', 'predictDuration', 'listVoices', 'searchVoices', 'getVoice'],
  fields: ['voice_settings.speed'],
  formats: ['wav'],
  maxTextLength: 4096,
  estimates: true,
};

const spoken = { voice_id: 'alloy', text: 'Hello', language: 'en' } satisfies SpeechRequest;

/** Returns the refusal of a request; undefined for an accepted one. */
function refusal(name: keyof typeof operations, request: object): string | undefined {
  try {
    checkFeatures(simple, operations[name], { ...request });
    return undefined;
  } catch (error) {
    assert.ok(error instanceof SpeechError);
    assert.equal(error.code, 'not-supported');
    assert.equal(error.route, 'fatal');
    return error.message;
  }
}

describe('a service without some features', () => {
  it('refuses custom voices, credits and usage by name', () => {
    for (const [name, lack] of [
      ['createClonedVoice', /no custom voices/],
      ['listCustomVoices', /no custom voices/],
      ['searchCustomVoices', /no custom voices/],
      ['getCustomVoice', /no custom voices/],
      ['editCustomVoice', /no custom voices/],
      ['deleteCustomVoice', /no custom voices/],
      ['getCredits', /counts no credits/],
      ['getUsage', /reports no usage/],
      ['getVoiceUsage', /reports no usage/],
      ['streamSpeech', /no operation streamSpeech/],
    ] as const)
      assert.match(refusal(name, {}) ?? 'accepted', lack, name);
  });

  it('refuses each field that it does not follow, with the name of the field', () => {
    const fields: Record<string, object> = {
      style: { style: 'happy' },
      model: { model: 'main_speech_2' },
      include_phonemes: { include_phonemes: true },
      normalized_text: { normalized_text: 'hello' },
      'voice_settings.pitch_shift': { voice_settings: { pitch_shift: 2 } },
      'voice_settings.duration': { voice_settings: { speed: 1.5, duration: 3 } },
      'voice_settings.new_setting': { voice_settings: { new_setting: 1 } },
      new_field: { new_field: '' },
    };
    for (const operation of ['createSpeech', 'predictDuration'] as const)
      for (const [field, value] of Object.entries(fields))
        assert.equal(
          refusal(operation, { ...spoken, ...value }),
          `${field}: this service does not support it. Leave it blank, or use another account.`,
        );
  });

  it('refuses a format that it does not make, and lists its formats', () =>
    assert.match(
      refusal('createSpeech', { ...spoken, output_format: 'mp3' }) ?? 'accepted',
      /^output_format is "mp3": this service makes only wav/,
    ));

  it('accepts a field with its default, without a value, or with a value that it follows', () => {
    for (const value of [
      { output_format: 'wav' },
      { output_format: undefined, style: undefined, voice_settings: undefined },
      { include_phonemes: false },
      { voice_settings: {} },
      { voice_settings: { speed: 1.5, pitch_shift: 0, pitch_variance: 1, duration: 0, similarity: 3 } },
    ])
      assert.equal(refusal('createSpeech', { ...spoken, ...value }), undefined);
  });

  it('refuses a setting whose value is the default of another setting', () =>
    assert.match(
      refusal('createSpeech', { ...spoken, voice_settings: { pitch_variance: 0 } }) ?? 'accepted',
      /^voice_settings\.pitch_variance:/,
    ));

  it('gives a fallback a request without the lacking fields and the lacking format', () => {
    const request = {
      ...spoken,
      style: 'happy',
      model: 'main_speech_1',
      output_format: 'mp3',
      include_phonemes: true,
      normalized_text: 'hello',
      voice_settings: { speed: 1.5, pitch_shift: 3 },
    } satisfies SpeechRequest;
    const kept = withoutUnsupported(simple, request);
    assert.deepEqual(kept, { ...spoken, voice_settings: { speed: 1.5 } });
    assert.doesNotThrow(() => checkFeatures(simple, operations.createSpeech, { ...kept }));
    assert.equal(request.voice_settings.pitch_shift, 3);
  });

  it('gives a fallback the same request if it lacks nothing', () => {
    const request = { ...spoken, voice_settings: { speed: 1.5 } };
    assert.equal(withoutUnsupported(simple, request), request);
  });
});

describe('the hosted interface', () => {
  const upstream = hosted.create(
    {},
    { url: 'https://speech.example.com/v1', apiKey: 'key' },
    { settings: settingsOf({ url: '', apiKey: '' }), network: {} },
  );

  it('accepts every operation and every field, also unknown ones', () => {
    for (const operation of Object.values(operations))
      checkFeatures(upstream.features, operation, { ...spoken, new_field: 1, output_format: 'mp3' });
    assert.deepEqual(unsupportedFields(upstream.features, { ...spoken, style: 'happy' }), []);
  });
});
