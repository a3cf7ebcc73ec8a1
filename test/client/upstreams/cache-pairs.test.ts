import assert from 'node:assert/strict';
import { baseUrl } from '../../../client/base/url-and-key.js';
import { toHttpRequest } from '../../../client/http/request.js';
import { createSpeech } from '../../../client/interface/operations.js';
import { openAiSettings } from '../../../client/upstreams/openai/options.js';
import { openAiRequest } from '../../../client/upstreams/openai/speech.js';
import { fieldDefaults, voiceSettings } from '../../../client/interface/models.js';
import { type CachedUpstream, checkPairs, commonValues, type Values } from './cache-pairs.js';

const urls = { url: ['http://one.test', 'http://one.test/v1', 'http://two.test', 'http://one.test/speech'] };
const formats = { 'request.output_format': [undefined, 'wav', 'mp3'] };

const settingsOfVoices: Values = Object.fromEntries(
  Object.entries(voiceSettings).map(([name, { default: usual, min, max }]) => [
    `request.voice_settings.${name}`,
    [undefined, usual, min, max, (usual + max) / 2],
  ]),
);

const upstreams: readonly CachedUpstream[] = [
  {
    kind: 'hosted',
    values: {
      ...commonValues,
      ...urls,
      ...formats,
      ...settingsOfVoices,
      'request.model': [undefined, 'main_speech_1', 'main_speech_2'],
      'request.style': [undefined, 'happy', 'sad'],
      'request.include_phonemes': [undefined, true, false],
      'request.normalized_text': [undefined, 'hello', 'Hello.'],
    },
    sent: ({ url, request }) => {
      // A service treats a missing field as its documented default.
      const { voice_settings: settings, ...fields } = createSpeech.request.parse(request);
      const all = { ...defaultSettings, ...settings };
      return [
        baseUrl(url),
        toHttpRequest(createSpeech, { ...fieldDefaults, ...fields, voice_settings: all }),
      ];
    },
  },
  {
    kind: 'openai',
    values: {
      ...commonValues,
      ...urls,
      ...formats,
      'request.voice_settings.speed': [undefined, 1, 0.5, 1.5, 2],
      'request.model': [undefined, 'tts-1', 'tts-1-hd', 'm1'],
      'request.style': [undefined, 'calm', 'loud', 'calm"]'],
      'choice.model': [undefined, 'tts-1', 'tts-1-hd', 'm1', 'm1","calm'],
      'choice.instructions': [undefined, '', 'calm', 'loud', '","'],
      'choice.maxTextLength': [undefined, 300, 4096],
      'choice.voices': [undefined, ['nova'], ['echo']],
    },
    sent: ({ url, choice, request }) => {
      assert.ok(choice.kind === 'openai');
      return [baseUrl(url), openAiRequest(openAiSettings(choice), request)];
    },
  },
];

const defaultSettings = Object.fromEntries(
  Object.entries(voiceSettings).map(([name, { default: usual }]) => [name, usual]),
);

describe('the cache', () => {
  for (const upstream of upstreams)
    it(`has no false hit for 4,000 pairs of requests to ${upstream.kind} that differ in one setting`, () => {
      const { different, alike } = checkPairs(upstream);
      assert.ok(different > 1600, `${different} pairs have different requests`);
      assert.ok(alike > 40, `${alike} pairs have one key`);
    });

  it('would fail this check if its keys lacked a setting that the service gets', () => {
    const openai = upstreams.find(({ kind }) => kind === 'openai') ?? assert.fail('no entry');
    const sent: CachedUpstream['sent'] = (setting) => [openai.sent(setting), setting.choice];
    assert.throws(() => checkPairs({ ...openai, sent }), /Property failed/);
  });
});
