import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readBounded, writeAtomically } from '../../../nodes/output/files.js';
import { useDataFolder } from '../../support/local-service.js';

const never = new AbortController().signal;
const badRequest = { code: 'bad-request', route: 'fatal' };

describe('readBounded', () => {
  const folder = useDataFolder();
  const at = (name: string) => path.join(folder(), name);

  it('reads a file of the maximum size and rejects a larger one', async () => {
    await writeFile(at('ten'), '0123456789');
    assert.equal(Buffer.from(await readBounded(at('ten'), 10, never)).toString(), '0123456789');
    await assert.rejects(readBounded(at('ten'), 9, never), {
      ...badRequest,
      message: /ten": expected at most 9 bytes/,
    });
  });

  it('rejects folders, pipes and devices, which could be endless', async () => {
    await mkdir(at('folder'));
    execFileSync('mkfifo', [at('pipe')]);
    for (const place of [at('folder'), at('pipe'), '/dev/zero']) {
      await assert.rejects(readBounded(place, 10, never), { ...badRequest, message: /not a file/ });
    }
  });

  it('rejects with the reason of the signal when the node is stopped', async () => {
    await writeFile(at('large'), Buffer.alloc(1_000_000));
    const stopped = new Error('stopped');
    await assert.rejects(readBounded(at('large'), 2_000_000, AbortSignal.abort(stopped)), stopped);
  });
});

describe('writeAtomically', () => {
  const folder = useDataFolder();
  const at = (name: string) => path.join(folder(), name);

  it('replaces the content of an existing file', async () => {
    await writeFile(at('note'), 'former and longer');
    await writeAtomically(at('note'), Buffer.from('new'), never);
    assert.equal(await readFile(at('note'), 'utf8'), 'new');
  });

  it('keeps the existing file and removes its temporary file when the node is stopped', async () => {
    await writeFile(at('kept'), 'former');
    const stopped = new Error('stopped');
    await assert.rejects(
      writeAtomically(at('kept'), Buffer.alloc(1_000_000), AbortSignal.abort(stopped)),
      stopped,
    );
    assert.equal(await readFile(at('kept'), 'utf8'), 'former');
    assert.deepEqual(
      (await readdir(folder())).filter((name) => name.endsWith('.part')),
      [],
    );
  });

  it('removes its temporary file if the path is a folder', async () => {
    await mkdir(at('taken'));
    await assert.rejects(writeAtomically(at('taken'), Buffer.from('new'), never), {
      ...badRequest,
      message: /taken/,
    });
    assert.deepEqual(
      (await readdir(folder())).filter((name) => name.endsWith('.part')),
      [],
    );
  });
});
