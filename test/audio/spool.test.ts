import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import os from 'node:os';
import { Spool } from '../../audio/rendering/spool.js';

describe('Spool', () => {
  it('returns audio from memory and from a file without a name', async () => {
    const before = await readdir(os.tmpdir());
    const spool = new Spool();
    const pieces = [3_000_000, 2_000_000, 1, 4_000_000].map((length) => randomBytes(length));
    for (const piece of pieces) await spool.add(piece);
    for (const index of [3, 0, 2, 1]) {
      const audio = await spool.get(index);
      assert.ok(pieces[index]?.equals(audio), `piece ${index}`);
    }
    const files = (await readdir(os.tmpdir())).filter((file) => /^herald-[\da-f]{8}-/.test(file));
    assert.deepEqual(
      files.filter((file) => !before.includes(file)),
      [],
    );
    await spool.close();
  });
});
