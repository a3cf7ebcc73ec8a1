import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { operations } from '../../../client/interface/operations.js';
import { checkRequest } from '../../../client/interface/check-request.js';
import { abridged } from '../../../client/interface/describe-issues.js';
import type { Operation } from '../../../client/interface/operation.js';
import { SpeechError } from '../../../client/base/errors.js';
import { voiceSettings } from '../../../client/interface/models.js';
import { mp3Of, wavOf } from '../../support/audio-files.js';
import { withService } from '../../support/service/client-for.js';
import { rejection } from '../../support/rejection.js';

const speech = { voice_id: 'v1', text: 'Hello', language: 'en' };
const clone = { files: wavOf(), name: 'Mine' };
const setting = (name: string, value: unknown) => ({ ...speech, voice_settings: { [name]: value } });
const usage = { start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-02T00:00:00Z' };
const { createSpeech, createClonedVoice, predictDuration, searchVoices, getVoice, editCustomVoice } =
  operations;
const { getUsage, getVoiceUsage } = operations;

/** The error message for an invalid request, or undefined for a valid request. */
function refusal(operation: Operation, request: unknown): string | undefined {
  try {
    checkRequest(operation.request, request);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof SpeechError);
    assert.deepEqual([error.code, error.route], ['bad-request', 'fatal']);
    return error.message;
  }
}

/** The ranges of the interface (docs/interface.md#voice-settings). */
const ranges = Object.entries(voiceSettings);

const valid: [string, Operation, unknown][] = [
  ['a text of 300 characters', createSpeech, { ...speech, text: 'a'.repeat(300) }],
  ['an undocumented model', createSpeech, { ...speech, model: 'main_speech_9' }],
  ['a language that no documented model has', createSpeech, { ...speech, language: 'xx' }],
  ['an undocumented style', createSpeech, { ...speech, style: 'whispering' }],
  [
    'a sample of exactly 3,000,000 bytes',
    createClonedVoice,
    { ...clone, files: wavOf({ seconds: 187.49725 }) },
  ],
  ['a sample in MP3', createClonedVoice, { ...clone, files: mp3Of() }],
  ['a name of 100 characters', createClonedVoice, { ...clone, name: 'a'.repeat(100) }],
  ['a page of 10', searchVoices, { page_size: 10 }],
  ['a page of 100', searchVoices, { page_size: 100 }],
  ['styles with commas', searchVoices, { style: 'happy,sad' }],
  ['styles with semicolons', searchVoices, { style: 'happy;sad' }],
  ['a usage page of 1', getUsage, { ...usage, page_size: 1 }],
  ['a usage page of 20', getUsage, { ...usage, page_size: 20 }],
];

const invalid: [string, Operation, unknown, RegExp][] = [
  [
    'a text of 301 characters',
    createSpeech,
    { ...speech, text: 'a'.repeat(301) },
    /text is "a+"… \(301 char.*at most 300/,
  ],
  ['an empty text', createSpeech, { ...speech, text: '' }, /text is "": .*at least one letter or digit/],
  [
    'a text of spaces',
    createSpeech,
    { ...speech, text: ' \n\t' },
    /text is " \\n\\t": .*at least one letter or digit/,
  ],
  [
    'a text of punctuation',
    createSpeech,
    { ...speech, text: '?!…' },
    /text is "\?!…": .*at least one letter or digit/,
  ],
  ['a number as text', createSpeech, { ...speech, text: 42 }, /text is 42: .*enter a text/],
  ['a missing text', createSpeech, { voice_id: 'v1', language: 'en' }, /text is missing: .*enter a text/],
  ['a missing language', createSpeech, { voice_id: 'v1', text: 'Hello' }, /language is missing/],
  [
    'a language of three letters',
    createSpeech,
    { ...speech, language: 'eng' },
    /language is "eng": .*two-letter/,
  ],
  ['a missing voice', createSpeech, { text: 'Hello', language: 'en' }, /voice_id is missing/],
  [
    'a voice that would change the path',
    getVoice,
    { voice_id: '..' },
    /voice_id is "\.\.": expected an identifier/,
  ],
  ['a voice with white space', getVoice, { voice_id: 'v 1' }, /voice_id is "v 1"/],
  ['a voice with a lone surrogate', getVoice, { voice_id: 'v\ud800' }, /voice_id is "v\\ud800"/],
  [
    'an unsupported format',
    createSpeech,
    { ...speech, output_format: 'ogg' },
    /output_format is "ogg": .*"wav"\|"mp3"/,
  ],
  ['a text as setting', createSpeech, setting('speed', '1'), /voice_settings\.speed is "1": .*number/],
  ['NaN as setting', createSpeech, setting('speed', Number.NaN), /voice_settings\.speed is NaN/],
  [
    'a sample of 3,000,001 bytes',
    createClonedVoice,
    { ...clone, files: Buffer.alloc(3_000_001) },
    /files is a Buffer of 3000001 bytes: .*3000000 bytes/,
  ],
  [
    'a sample in another format',
    createClonedVoice,
    { ...clone, files: Buffer.from('OggS....') },
    /files is a Buffer of 8 bytes: .*WAV or MP3/,
  ],
  [
    'a truncated sample',
    createClonedVoice,
    { ...clone, files: wavOf().subarray(0, 500) },
    /files is a Buffer of 500 bytes/,
  ],
  [
    'a path as sample',
    createClonedVoice,
    { ...clone, files: 'a.wav' },
    /files is "a\.wav": expected a Buffer/,
  ],
  ['a missing name', createClonedVoice, { files: wavOf() }, /name is missing/],
  ['an empty name', createClonedVoice, { ...clone, name: '' }, /name is "": expected a word/],
  [
    'a name of 101 characters',
    editCustomVoice,
    { voice_id: 'c1', name: 'a'.repeat(101) },
    /name is .*at most 100/,
  ],
  ['a page of 9', searchVoices, { page_size: 9 }, /page_size is 9: expected a number from 10 to 100$/],
  ['a page of 101', searchVoices, { page_size: 101 }, /page_size is 101: expected a number from 10 to 100$/],
  ['a page of 10.5', searchVoices, { page_size: 10.5 }, /page_size is 10\.5/],
  ['styles with commas and semicolons', searchVoices, { style: 'a,b;c' }, /style is "a,b;c": .*not both/],
  [
    'a usage page of 21',
    getUsage,
    { ...usage, page_size: 21 },
    /page_size is 21: expected a number from 1 to 20$/,
  ],
  [
    'a usage page of 0',
    getUsage,
    { ...usage, page_size: 0 },
    /page_size is 0: expected a number from 1 to 20$/,
  ],
  [
    'voices by id and by name',
    getUsage,
    { ...usage, breakdown_type: ['voice_id', 'voice_name'] },
    /breakdown_type is .*not both/,
  ],
  [
    'a time without a zone',
    getUsage,
    { ...usage, start_time: '2026-01-01' },
    /start_time is "2026-01-01": expected a time/,
  ],
  [
    'a day that does not exist',
    getVoiceUsage,
    { start_date: '2026-02-30', end_date: '2026-03-01' },
    /start_date is "2026-02-30"/,
  ],
  ['a text in place of the object', createSpeech, 'Hello', /request is "Hello": .*object/],
];

describe('a request', () => {
  for (const [what, operation, request] of valid) {
    it(`is valid with ${what}`, () => assert.equal(refusal(operation, request), undefined));
  }
  for (const [what, operation, request, message] of invalid) {
    it(`is rejected with field, value and rule: ${what}`, () =>
      assert.match(refusal(operation, request) ?? 'valid', message));
  }
  for (const [name, { min, max }] of ranges) {
    it(`accepts ${name} only from ${min} to ${max}, and names both`, () => {
      for (const value of [min, (min + max) / 2, max]) {
        assert.equal(refusal(createSpeech, setting(name, value)), undefined);
      }
      for (const value of [min - 0.01, max + 0.01])
        assert.match(
          refusal(createSpeech, setting(name, value)) ?? '',
          new RegExp(`${name} is .*: expected a number from ${min} to ${max}$`),
        );
    });
  }

  it('is rejected with the names of all invalid fields', () => {
    const message = refusal(createSpeech, { voice_id: '', text: 1, language: 'english' }) ?? '';
    for (const field of ['voice_id', 'text', 'language']) assert.match(message, new RegExp(`${field} is`));
  });

  it('is not sent if it is invalid', () =>
    withService(
      () => ({ body: {} }),
      async (client, server) => {
        const error = await rejection(client.call(createSpeech, { ...speech, text: ' ' }));
        assert.deepEqual([error.code, error.operation, error.attempts], ['bad-request', 'createSpeech', 0]);
        assert.equal(server.requests.length, 0);
      },
    ));

  it('is sent without a second check if the caller checked it', () =>
    withService(
      () => ({ status: 400 }),
      async (client, server) => {
        const error = await rejection(client.call(createSpeech, { ...speech, text: ' ' }, { checked: true }));
        assert.equal(error.status, 400);
        assert.equal(server.requests[0]?.json['text'], ' ');
      },
    ));

  it('is sent without fields that the operation does not have', () =>
    withService(
      () => ({ body: { duration: 1 } }),
      async (client, server) => {
        const request = { ...speech, payload: 'x', include_phonemes: true };
        await client.call(predictDuration, request);
        await client.call(predictDuration, request, { checked: true });
        for (const { json } of server.requests) assert.deepEqual(json, { text: 'Hello', language: 'en' });
      },
    ));
});

describe('abridged', () => {
  it('returns at most 80 characters for any value and never runs its code', () => {
    const circle: Record<string, unknown> = {
      big: 'x'.repeat(1e6),
      list: Array.from({ length: 1e5 }, () => 1),
    };
    circle['self'] = circle;
    const trap = {
      get field() {
        return assert.fail('a getter ran');
      },
      toJSON: () => assert.fail('toJSON ran'),
      [inspect.custom]: () => assert.fail('inspect.custom ran'),
    };
    for (const value of [
      circle,
      trap,
      'x'.repeat(1e6),
      Buffer.alloc(1e6),
      null,
      Symbol('s'),
      10n,
      () => {},
    ]) {
      assert.ok(abridged(value).length <= 80);
    }
  });
});
