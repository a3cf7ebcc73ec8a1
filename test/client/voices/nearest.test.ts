import assert from 'node:assert/strict';
import { nearestVoice, type VoiceWish, wishOf } from '../../../client/voices/nearest.js';
import type { SpeechDefaults } from '../../../client/voices/complete.js';
import type { VoiceFacts } from '../../../client/voices/voice-facts.js';
import { rejection } from '../../support/rejection.js';

const voice = (
  voice_id: string,
  gender: string,
  language: string[],
  more: Partial<VoiceFacts> = {},
): VoiceFacts => ({
  voice_id,
  name: voice_id,
  gender,
  language,
  styles: ['neutral', 'happy'],
  models: ['main_speech_1'],
  ...more,
});

/** Some services state no gender. */
const nova = voice('nova', '', ['en']);

const VOICES = [
  voice('amy', 'female', ['en']),
  voice('bob', 'male', ['en']),
  voice('carl', 'male', ['de', 'en']),
  voice('dora', 'female', ['de']),
];

/** A service with these voices. */
const catalogue = {
  voice: async (id: string) => VOICES.find(({ voice_id }) => voice_id === id),
  first: async (language: string, _options: object, gender?: string) =>
    VOICES.find((each) => each.language?.includes(language) && (!gender || each.gender === gender)),
};

const chosen = async (wish: VoiceWish, defaults: { voice_id?: string } = {}) =>
  (await nearestVoice(catalogue, wish, defaults, {})).voice_id;

describe('the nearest voice of another service', () => {
  it('is the same voice if the service has it', async () => {
    assert.equal(await chosen({ voice_id: 'bob', language: 'en', gender: 'male' }), 'bob');
  });

  it('is the first voice of the language and the gender', async () => {
    assert.equal(await chosen({ voice_id: 'x', language: 'en', gender: 'male' }), 'bob');
    assert.equal(await chosen({ voice_id: 'x', language: 'de', gender: 'female' }), 'dora');
  });

  it('is the first voice of the language if the gender is unknown, or no voice has it', async () => {
    assert.equal(await chosen({ language: 'de' }), 'carl');
    assert.equal(await chosen({ language: 'de', gender: 'neutral' }), 'carl');
  });

  it('is the default voice of the account if its language and its gender fit', async () => {
    assert.equal(await chosen({ language: 'en', gender: 'male' }, { voice_id: 'carl' }), 'carl');
    assert.equal(await chosen({ language: 'en' }, { voice_id: 'carl' }), 'carl');
    assert.equal(await chosen({ language: 'en', gender: 'female' }, { voice_id: 'carl' }), 'amy');
    assert.equal(await chosen({ language: 'en', gender: 'male' }, { voice_id: 'dora' }), 'bob');
  });

  it('is the default voice of the account if the service does not state its gender', async () => {
    const wish = { language: 'en', gender: 'male' };
    const voice = async (id: string) => (id === 'nova' ? nova : undefined);
    const { voice_id } = await nearestVoice({ ...catalogue, voice }, wish, { voice_id: 'nova' }, {});
    assert.equal(voice_id, 'nova');
  });

  it('is the default voice of another gender rather than another voice without the gender', async () => {
    assert.equal(await chosen({ language: 'en', gender: 'neutral' }, { voice_id: 'carl' }), 'carl');
  });

  it('keeps the style if the voice has it, and uses a model of the voice', async () => {
    const wish = { language: 'en', gender: 'female' };
    const happy = await nearestVoice(catalogue, { ...wish, style: 'happy' }, {}, {});
    assert.deepEqual([happy.style, happy.model], ['happy', 'main_speech_1']);
    assert.equal((await nearestVoice(catalogue, { ...wish, style: 'angry' }, {}, {})).style, 'neutral');
  });

  it('is a default voice that the service does not describe rather than none', async () => {
    assert.equal(await chosen({ language: 'ja' }, { voice_id: 'secret' }), 'secret');
    assert.equal(await chosen({ language: 'en' }, { voice_id: 'secret' }), 'amy');
  });

  it('does not exist in a service without the language', async () => {
    const defaults = { voice_id: 'amy' };
    const error = await rejection(nearestVoice(catalogue, { language: 'ja' }, defaults, {}));
    assert.equal(error.code, 'bad-request');
    assert.match(error.message, /^The service has no Japanese voice/);
  });

  it('is the default voice of the service in its default language, unless another one fits better', async () => {
    const own: VoiceFacts = { voice_id: '#default', name: 'Default of the server' };
    const server = {
      ...catalogue,
      voice: async (id: string) => (id === own.voice_id ? own : catalogue.voice(id)),
      serverVoice: own.voice_id,
    };
    const at = async (wish: VoiceWish, defaults: SpeechDefaults) =>
      (await nearestVoice(server, wish, defaults, {})).voice_id;
    assert.equal(await at({ language: 'en' }, {}), '#default');
    assert.equal(await at({ language: 'de' }, {}), 'carl');
    assert.equal(await at({ language: 'de' }, { language: 'de' }), '#default');
    assert.equal(await at({ language: 'en', gender: 'male' }, {}), 'bob');
    assert.equal(await at({ language: 'en' }, { voice_id: 'amy' }), 'amy');
  });
});

/** The memory of a service that described these voices. */
const memory = (...ids: string[]) => ({
  known: (id: string) => VOICES.find(({ voice_id }) => voice_id === id && ids.includes(id)),
  knownFirst: (language: string) =>
    VOICES.find(({ voice_id, language: spoken }) => ids.includes(voice_id) && spoken?.includes(language)),
});

describe('the wished voice', () => {
  it('has the gender and the language of the requested voice', () => {
    const wish = wishOf(memory('dora'), { voice_id: 'dora', style: 'happy' }, { language: 'en' });
    assert.deepEqual(wish, { voice_id: 'dora', language: 'de', gender: 'female', style: 'happy' });
  });

  it('has the language of a regional code', () => {
    for (const language of ['de-AT', 'de_DE'])
      assert.equal(wishOf(memory('dora'), { language }, {}).language, 'de');
    assert.equal(wishOf(memory(), {}, { language: 'pt-BR' }).language, 'pt');
  });

  it('has an unknown gender if the service never described the voice', () => {
    const wish = wishOf(memory(), { voice_id: 'dora' }, { language: 'de' });
    assert.deepEqual(wish, { voice_id: 'dora', language: 'de', gender: undefined, style: undefined });
  });

  it('has an unknown gender if the service does not state it', () => {
    const wish = wishOf({ known: () => nova, knownFirst: () => nova }, { voice_id: 'nova' }, {});
    assert.equal(wish.gender, undefined);
  });

  it('has no voice and no gender if the default voice of the service speaks', () => {
    const lookup = { ...memory('amy', 'dora'), serverVoice: '#default' };
    const { voice_id, gender } = wishOf(lookup, {}, {});
    assert.deepEqual([voice_id, gender], [undefined, undefined]);
    assert.equal(wishOf(lookup, { language: 'de' }, {}).voice_id, 'dora');
  });

  it('is the default voice if it speaks the requested language, otherwise the first voice of the language', () => {
    const defaults = { voice_id: 'bob' };
    assert.equal(wishOf(memory('bob'), { language: 'en' }, defaults).voice_id, 'bob');
    assert.equal(wishOf(memory('bob', 'dora'), { language: 'de' }, defaults).voice_id, 'dora');
  });

  it('is English without any language', () => {
    assert.equal(wishOf(memory(), {}, {}).language, 'en');
  });
});
