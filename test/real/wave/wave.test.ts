import assert from 'node:assert/strict';
import { parseFormat, render } from '@herald-speech/audio';
import { z } from '@herald-speech/client';
import { parseAudio } from '@herald-speech/client/audio';
import { Source, tone, wav } from '../../audio/tools.js';
import { runPython } from '../support/python.js';

const mark = { product: 'Herald', voice: 'Zoë', language: 'en-us' };

/** Returns a marked WAV of two pieces. */
async function rendered(live: boolean): Promise<Buffer> {
  const pieces = new Source([wav(tone({ seconds: 0.3 })), wav(tone({ seconds: 0.2001, hertz: 300 }))]);
  const options = { format: parseFormat('hermes'), live, mark: () => mark };
  const { parts, header, trailer, close } = await render(pieces, options);
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part.data);
  await close();
  const data = Buffer.concat(all);
  return Buffer.concat([header(data.length), data, trailer(data.length)]);
}

describe('marked audio', () => {
  for (const live of [false, true]) {
    it(`is read by the module wave of Python${live ? ', also if players read it before its end' : ''}`, async () => {
      const bytes = await rendered(live);
      const parsed = parseAudio(bytes);
      assert.ok(parsed.format === 'wav');
      const { length } = parsed.wav.data;
      const read = await runPython(['wave', 'read.py'], bytes.toString('base64'), z.array(z.number()));
      assert.deepEqual(read, [length / 2, 16_000, length]);
    });
  }
});
