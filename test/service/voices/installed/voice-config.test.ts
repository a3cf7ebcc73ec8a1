import assert from 'node:assert/strict';
import { parseConfig, readConfig } from '../../../../service/voices/installed/voice-config.js';
import { isError } from '../natural/support.js';

/** The fields of a config as in the voice repository. */
const piper = {
  audio: { sample_rate: 22_050, quality: 'medium' },
  espeak: { voice: 'de' },
  inference: { noise_scale: 0.667, length_scale: 1.1, noise_w: 0.8 },
  phoneme_type: 'espeak',
  phoneme_map: {},
  phoneme_id_map: { _: [0], '^': [1], $: [2], a: [14], ç: [40, 140] },
  num_symbols: 256,
  num_speakers: 1,
  speaker_id_map: {},
  piper_version: '1.0.0',
  language: { code: 'de_DE', family: 'de' },
};

describe('the config of a voice', () => {
  it('has the fields that the engine uses', () => {
    const { phonemeIds, ...config } = readConfig(piper);
    assert.deepEqual(phonemeIds.get('ç'), [40, 140]);
    assert.deepEqual(config, {
      sampleRate: 22_050,
      espeakVoice: 'de',
      phonemeType: 'espeak',
      noiseScale: 0.667,
      lengthScale: 1.1,
      noiseW: 0.8,
      clusters: [],
      symbols: 256,
      speakers: [],
      hopLength: 256,
    });
  });

  it('is read with the type PhonemeType.ESPEAK, as in the voice for Mexican Spanish', () => {
    assert.equal(readConfig({ ...piper, phoneme_type: 'PhonemeType.ESPEAK' }).phonemeType, 'espeak');
    assert.equal(readConfig({ ...piper, phoneme_type: 'PhonemeType.TEXT' }).phonemeType, 'text');
  });

  it('lists the default speaker first', () => {
    const speaker_id_map = { a: 0, b: 1, c: 2 };
    const { speakers } = readConfig({ ...piper, num_speakers: 3, speaker_id_map, default_speaker_id: 2 });
    assert.deepEqual(
      speakers.map(({ name }) => name),
      ['c', 'a', 'b'],
    );
  });

  it('has the defaults of the reference implementation', () => {
    const { audio, espeak, phoneme_id_map } = piper;
    const config = readConfig({ audio, espeak, phoneme_id_map });
    const { noiseScale, lengthScale, noiseW, phonemeType, symbols } = config;
    assert.deepEqual([noiseScale, lengthScale, noiseW, phonemeType, symbols], [0.667, 1, 0.8, 'espeak', 141]);
  });

  it('lists the speakers by id, and numbers speakers without names', () => {
    const several = { ...piper, num_speakers: 3 };
    const speaker_id_map = { b: 2, a: 0, c: 1 };
    const names = (json: object) => readConfig(json).speakers.map(({ name, id }) => `${name} ${id}`);
    assert.deepEqual(names({ ...several, speaker_id_map }), ['a 0', 'c 1', 'b 2']);
    assert.deepEqual(names(several), ['0 0', '1 1', '2 2']);
    assert.deepEqual(names({ ...piper, speaker_id_map: { anna: 0 } }), []);
  });

  it('needs no eSpeak voice for texts without phonemes', () => {
    const { espeak: _, ...others } = piper;
    assert.equal(readConfig({ ...others, phoneme_type: 'text' }).espeakVoice, '');
    assert.throws(() => readConfig(others), isError('invalid', /espeak\.voice is missing/));
  });

  const wrong: Array<[string, unknown, RegExp]> = [
    ['a list in place of an object', [], /no JSON object/],
    ['no map', { ...piper, phoneme_id_map: undefined }, /phoneme_id_map.*expected the ids of each phoneme/],
    ['an empty map', { ...piper, phoneme_id_map: {} }, /the phoneme "_", "\^", "\$" is missing/],
    ['a map of numbers', { ...piper, phoneme_id_map: { a: 1 } }, /phoneme_id_map/],
    [
      'a phoneme without ids',
      { ...piper, phoneme_id_map: { ...piper.phoneme_id_map, b: [] } },
      /phoneme_id_map/,
    ],
    ['a negative id', { ...piper, phoneme_id_map: { ...piper.phoneme_id_map, b: [-1] } }, /phoneme_id_map/],
    [
      'an id out of range',
      { ...piper, num_symbols: 140 },
      /phoneme_id_map\["ç"\] \[40,140\]: expected ids from 0 to .* 139/,
    ],
    ['no sample rate', { ...piper, audio: {} }, /audio\.sample_rate.*8000 to 48000/],
    ['a sample rate of 0', { ...piper, audio: { sample_rate: 0 } }, /audio\.sample_rate.*8000 to 48000/],
    ['a sample rate as text', { ...piper, audio: { sample_rate: '22050' } }, /audio\.sample_rate/],
    ['another kind of phonemes', { ...piper, phoneme_type: 'braille' }, /phoneme_type.*espeak, text/],
    ...(
      [
        ['pinyin', /phoneme_type.*needs the readings of Chinese characters/],
        ['hebrew', /phoneme_type.*needs the vowels of Hebrew words/],
        ['japanese', /phoneme_type.*needs the readings and the pitch accents of Japanese words/],
        ['PhonemeType.THAI', /phoneme_type.*needs the readings of Thai words/],
      ] as const
    ).map(([type, words]): [string, unknown, RegExp] => [
      `the phonemes of ${type}, and the reason`,
      { ...piper, phoneme_type: type },
      words,
    ]),
    [
      'a vowel cluster without ids',
      { ...piper, vowel_clusters: [['a', 'ɪ']] },
      /vowel_clusters: phoneme_id_map has no ids for "aɪ"/,
    ],
    [
      'a default speaker out of range',
      { ...piper, num_speakers: 2, default_speaker_id: 2 },
      /default_speaker_id 2: expected an id from 0 to .* = 1/,
    ],
    ['a length scale of 0', { ...piper, inference: { length_scale: 0 } }, /length_scale/],
    [
      'a speaker out of range',
      { ...piper, num_speakers: 2, speaker_id_map: { a: 2 } },
      /speaker_id_map\["a"\] 2.*= 1/,
    ],
    ['too many speakers', { ...piper, num_speakers: 1e6 }, /num_speakers/],
    ['a hop length of 0', { ...piper, hop_length: 0 }, /hop_length/],
  ];
  for (const [problem, json, words] of wrong) {
    it(`is refused with ${problem}`, () => {
      assert.throws(() => readConfig(json, 'de_DE-x-low'), isError('invalid', words));
      assert.throws(() => readConfig(json, 'de_DE-x-low'), /config of de_DE-x-low/);
    });
  }

  it('is refused if it is not JSON', () => {
    assert.throws(() => parseConfig('<html>', 'x'), isError('invalid', /config of x: not JSON/));
  });
});
