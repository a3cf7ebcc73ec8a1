import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { NaturalVoiceError } from '../../../../../service/voices/installed/errors.js';
import { importVoices } from '../../../../../service/voices/natural/install/import.js';
import { useFolder } from '../../../../support/folder.js';

/** A file of one byte in a tar archive. */
function tarred(name: string): Buffer {
  const blocks = Buffer.alloc(1024, ' ', 'latin1').fill(0, 0, 148).fill(0, 156);
  blocks.write(name);
  blocks.write('00000000001', 124);
  blocks.write('0', 156);
  blocks.write('ustar', 257);
  const sum = blocks.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  blocks.write(sum.toString(8).padStart(6, '0'), 148);
  return blocks;
}

describe('the import of an archive', () => {
  const folder = useFolder();

  it('reads an archive of 10,000 folders without a pause of seconds', async () => {
    const file = folder('many.tar');
    await writeFile(file, Buffer.concat(Array.from({ length: 10_000 }, (_, at) => tarred(`${at}/a b.onnx`))));
    const before = process.cpuUsage();
    let voices = 0;
    const options = {
      signal: new AbortController().signal,
      onProgress: () => void (voices += 1),
    };
    await assert.rejects(importVoices(folder('voices'), file, options), NaturalVoiceError);
    assert.equal(voices, 10_000);
    const { user } = process.cpuUsage(before);
    assert.ok(user < 4_000_000, `${user / 1000} ms`);
  });
});
