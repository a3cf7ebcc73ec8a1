import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { SpeechError } from '../../../client/base/errors.js';
import { completeChoice, type SpeechDefaults, type VoiceChoice } from '../../../client/voices/complete.js';
import { isInDefaultModel, type VoiceFacts } from '../../../client/voices/voice-facts.js';
import type { LookupOptions } from '../../../client/voices/voice-lookup.js';
import { rejection } from '../../support/rejection.js';

const LANGUAGES = ['en', 'de', 'sv'];

/** A service with these voices. `isDown` makes each lookup fail. */
function lookupOf(voices: readonly VoiceFacts[], isDown = false) {
  const answer = async (found: VoiceFacts | undefined, { isNeeded }: LookupOptions) => {
    if (isDown && isNeeded) throw new SpeechError('service-failed', 'the service is down');
    return isDown ? undefined : found;
  };
  return {
    voice: (id: string, options: LookupOptions) =>
      answer(
        voices.find(({ voice_id }) => voice_id === id),
        options,
      ),
    first: (language: string, options: LookupOptions) =>
      answer(
        voices.find((voice) => voice.language?.includes(language)),
        options,
      ),
  };
}

const samples = fc.uniqueArray(
  fc.record({
    language: fc.constantFrom(...LANGUAGES),
    style: fc.constantFrom('neutral', 'calm'),
    model: fc.constantFrom('main_speech_1', 'acme_speech_2'),
  }),
  { minLength: 1, maxLength: 5, selector: (sample) => Object.values(sample).join(' ') },
);

/** Two voices with all their combinations. */
const voices = fc.tuple(samples, samples).map((lists) =>
  lists.map((list, index): VoiceFacts => {
    const unique = (field: 'language' | 'style' | 'model') => [
      ...new Set(list.map((sample) => sample[field])),
    ];
    return {
      voice_id: `voice-${index}`,
      name: `Voice ${index}`,
      language: unique('language'),
      styles: unique('style'),
      models: unique('model'),
      samples: list,
    };
  }),
);

const field = (...values: string[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const defaults: fc.Arbitrary<SpeechDefaults> = fc.record({
  voice_id: field('voice-0', 'voice-1'),
  language: field(...LANGUAGES),
});
const requests: fc.Arbitrary<VoiceChoice> = fc.record({
  voice_id: field('voice-0', 'voice-1'),
  language: field(...LANGUAGES),
});

describe('a completed voice choice', () => {
  it('is a combination that the voice supports, with the voice and the language of the request', () =>
    fc.assert(
      fc.asyncProperty(voices, requests, defaults, async (known, given, usual) => {
        const choosing = completeChoice(lookupOf(known), given, usual, {});
        const chosen = await choosing.catch((error: unknown) => error);
        if (chosen instanceof SpeechError) return assertImpossible(known, given, usual);
        const { voice_id, language, style, model } = await choosing;
        const voice = known.find((other) => other.voice_id === voice_id);
        assert.ok(
          voice?.samples?.some(
            (sample) => sample.language === language && sample.style === style && sample.model === model,
          ),
        );
        assert.equal(voice_id, given.voice_id ?? voice_id);
        assert.equal(language, given.language ?? language);
      }),
    ));

  it('never has a guessed language or model if the service is down', () =>
    fc.assert(
      fc.asyncProperty(requests, defaults, async (given, usual) => {
        const choosing = completeChoice(lookupOf([], true), given, usual, {});
        if (
          given.voice_id !== undefined &&
          given.language !== undefined &&
          isInDefaultModel(given.language)
        ) {
          const { voice_id, language } = await choosing;
          assert.deepEqual([voice_id, language], [given.voice_id, given.language]);
        } else assert.equal((await rejection(choosing)).route, 'retryable');
      }),
    ));

  it('has the default voice of the service for the default language, and a voice of any other language', async () => {
    const own: VoiceFacts = { voice_id: '#default', name: 'Default of the server' };
    const [english, german] = ['en', 'de'].map((code) => ({ voice_id: code, name: code, language: [code] }));
    const lookup = {
      ...lookupOf([own, english, german].filter((voice) => voice !== undefined)),
      serverVoice: own.voice_id,
    };
    const chosen = async (given: VoiceChoice, usual: SpeechDefaults) => {
      const { voice_id, language } = await completeChoice(lookup, given, usual, {});
      return [voice_id, language];
    };
    assert.deepEqual(await chosen({}, {}), ['#default', 'en']);
    assert.deepEqual(await chosen({}, { language: 'de' }), ['#default', 'de']);
    assert.deepEqual(await chosen({ language: 'de-AT' }, { language: 'de' }), ['#default', 'de']);
    assert.deepEqual(await chosen({ language: 'de' }, {}), ['de', 'de']);
    assert.deepEqual(await chosen({}, { voice_id: 'de' }), ['de', 'de']);
    assert.match((await rejection(chosen({}, { language: 'sv' }))).message, /no Swedish voice/);
  });

  it('has no model if the search for a model of the language fails', async () => {
    const lookup = {
      voice: async () => undefined,
      first: lookupOf([], true).first,
    };
    const given = { voice_id: 'custom', language: 'sv' };
    assert.equal((await completeChoice(lookup, given, {}, {})).model, undefined);
  });
});

/** Fails unless the request excludes each voice: its voice lacks its language, or no voice speaks the language. */
function assertImpossible(known: readonly VoiceFacts[], given: VoiceChoice, usual: SpeechDefaults): void {
  const language = given.language ?? usual.language ?? 'en';
  const able = known.filter((voice) => voice.language?.includes(language));
  assert.ok(!able.some(({ voice_id }) => voice_id === (given.voice_id ?? voice_id)));
}

describe('the defaults of a voice choice', () => {
  const anna = { voice_id: 'anna', name: 'Anna', language: ['de'] };
  const invalid = { voice_id: '..', language: 'german' };

  it('are not checked if the request has a voice and a language', async () => {
    const given = { voice_id: 'anna', language: 'de' };
    assert.equal((await completeChoice(lookupOf([anna]), given, invalid, {})).voice_id, 'anna');
  });

  const cases: [given: VoiceChoice, message: RegExp][] = [
    [{ voice_id: 'anna' }, /^account\.language is "german": [^;]*$/],
    [{ language: 'de' }, /^account\.voice_id is "\.\.": [^;]*$/],
  ];
  for (const [given, message] of cases) {
    it(`are checked as settings of the account for ${JSON.stringify(given)}`, async () => {
      const error = await rejection(completeChoice(lookupOf([anna]), given, invalid, {}));
      assert.equal(error.code, 'bad-request');
      assert.match(error.message, message);
    });
  }

  it('reduces a language with a region to the language, in the request and in the defaults', async () => {
    const german = { voice_id: 'd', name: 'D', language: ['de'], styles: [], models: [], samples: [] };
    const lookup = lookupOf([german]);
    for (const language of ['de-DE', 'de_AT']) {
      assert.equal((await completeChoice(lookup, { language }, {}, {})).language, 'de');
      assert.equal((await completeChoice(lookup, { voice_id: 'd', language }, {}, {})).language, 'de');
      assert.equal((await completeChoice(lookup, {}, { language }, {})).voice_id, 'd');
    }
  });
});
