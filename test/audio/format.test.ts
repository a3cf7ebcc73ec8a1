import assert from 'node:assert/strict';
import { formatPresets, messages, OptionError, parseFormat } from '@herald-speech/audio';

const problemOf = (value: unknown): OptionError => {
  try {
    parseFormat(value);
  } catch (error) {
    if (error instanceof OptionError) return error;
    throw error;
  }
  throw new assert.AssertionError({ message: `${JSON.stringify(value)} is accepted` });
};

describe('parseFormat', () => {
  it('reads presets, names and objects', () => {
    assert.equal(parseFormat('unchanged'), 'unchanged');
    assert.equal(parseFormat(undefined), 'unchanged');
    for (const { id, format } of formatPresets) assert.deepEqual(parseFormat(id), format);
    assert.deepEqual(parseFormat('wav-8000'), { container: 'wav', encoding: 'pcm', sampleRate: 8000 });
    assert.deepEqual(parseFormat('raw-8000-mulaw'), {
      container: 'raw',
      encoding: 'mulaw',
      sampleRate: 8000,
    });
    const mp3 = { container: 'mp3', encoding: 'mp3', sampleRate: 24_000, bitrate: 64 } as const;
    assert.deepEqual(parseFormat('mp3'), mp3);
    assert.deepEqual(parseFormat('mp3-48-22050'), { ...mp3, bitrate: 48, sampleRate: 22_050 });
    assert.deepEqual(parseFormat({ ...mp3, sampleRate: 8000, bitrate: undefined }), {
      ...mp3,
      sampleRate: 8000,
    });
  });

  for (const value of ['ogg', 'wav', 'wav-16000-mp3', 'raw-8000-pcm-2', 7, null, [], { container: 'wav' }]) {
    it(`rejects ${JSON.stringify(value)} with the value, the rule and examples`, () => {
      const { field, message, text } = problemOf(value);
      assert.equal(field, 'format');
      assert.ok(message.startsWith(`format is ${JSON.stringify(value)}`), message);
      assert.equal(text.key, 'invalid');
    });
  }

  it('names the possible sample rates and bit rates', () => {
    assert.match(
      problemOf('wav-11025').message,
      /format is "wav-11025": .*8000, 16000, 22050, 24000, 44100, 48000 Hz$/,
    );
    assert.match(problemOf('mp3-64-9000').message, /8000, 11025, 12000/);
    assert.match(problemOf('mp3-320-24000').message, /8, 16, .* 160 kbit\/s at 24000 Hz$/);
  });

  it('has a message with a key for each rule', () => {
    for (const value of ['ogg', 'wav-11025', 'mp3-320-24000'])
      assert.ok(Object.hasOwn(messages, problemOf(value).rule.key));
  });
});
