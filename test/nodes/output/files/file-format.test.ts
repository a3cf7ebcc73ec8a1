import assert from 'node:assert/strict';
import { checkExtension, type Format } from '../../../../nodes/output/files/file-format.js';

const wav: Format = { container: 'wav', encoding: 'mulaw', sampleRate: 8000 };
const mp3: Format = { container: 'mp3', encoding: 'mp3', sampleRate: 24_000 };
const raw = (encoding: 'pcm' | 'mulaw' | 'alaw', sampleRate = 8000): Format => ({
  container: 'raw',
  encoding,
  sampleRate,
});

describe('checkExtension', () => {
  const fitting: [string, Format][] = [
    ['a.wav', 'unchanged'],
    ['a.wav', wav],
    ['a.WAVE', wav],
    ['a.mp3', mp3],
    ['a.ulaw', raw('mulaw')],
    ['a.alaw', raw('alaw')],
    ['a.sln', raw('pcm')],
    ['a.sln16', raw('pcm', 16_000)],
    ['a.pcm', raw('pcm', 48_000)],
    ['a.raw', raw('alaw')],
    ['a.bin', mp3],
    ['a', raw('pcm')],
  ];
  for (const [file, format] of fitting) {
    it(`accepts ${file} for ${JSON.stringify(format)}`, () => {
      assert.equal(checkExtension(file, format, undefined), undefined);
    });
  }

  const wrong: [string, Format, string][] = [
    ['a.mp3', wav, 'WAV'],
    ['a.wav', mp3, 'MP3'],
    ['a.wav', raw('pcm', 16_000), 'raw pcm 16000 Hz'],
    ['a.sln', raw('pcm', 16_000), 'raw pcm 16000 Hz'],
    ['a.sln16', raw('mulaw', 16_000), 'raw mulaw 16000 Hz'],
    ['a.ulaw', raw('alaw'), 'raw alaw 8000 Hz'],
    ['a.pcm', 'unchanged', 'WAV'],
    ['a.flac', wav, 'WAV'],
  ];
  for (const [file, format, name] of wrong) {
    it(`rejects ${file} for ${JSON.stringify(format)}`, () => {
      assert.throws(() => checkExtension(file, format, undefined), {
        code: 'bad-request',
        message: `file "${file}": the audio has the format ${name}: change the extension of the file or the format`,
      });
    });
  }

  it('selects MP3 for the extension .mp3 if no format is set', () => {
    assert.equal(checkExtension('a.mp3', 'unchanged', undefined), 'mp3');
    assert.equal(checkExtension('a.mp3', mp3, 'wav'), 'wav');
  });
});
