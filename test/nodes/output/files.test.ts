import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readBounded, writeAtomically } from '../../../nodes/output/files.js';
import { useDataFolder } from '../../support/local-service.js';

const never = new AbortController().signal;
const refusal = { code: 'bad-request', route: 'fatal' };

describe('files that nodes read', () => {
  const folder = useDataFolder();
  const at = (name: string) => path.join(folder(), name);

  it('are read whole up to the limit, and refused above it', async () => {
    await writeFile(at('ten'), '0123456789');
    assert.equal(Buffer.from(await readBounded(at('ten'), 10, never)).toString(), '0123456789');
    await assert.rejects(readBounded(at('ten'), 9, never), {
      ...refusal,
      message: /ten": expected at most 9 bytes/,
    });
  });

  it('are no folders, pipes or devices, which could be endless', async () => {
    await mkdir(at('folder'));
    execFileSync('mkfifo', [at('pipe')]);
    for (const place of [at('folder'), at('pipe'), '/dev/zero']) {
      await assert.rejects(readBounded(place, 10, never), { ...refusal, message: /not a file/ });
    }
  });

  it('are no longer read when the node is stopped', async () => {
    await writeFile(at('large'), Buffer.alloc(1_000_000));
    const stopped = new Error('stopped');
    await assert.rejects(readBounded(at('large'), 2_000_000, AbortSignal.abort(stopped)), stopped);
  });
});

describe('files that nodes write', () => {
  const folder = useDataFolder();
  const at = (name: string) => path.join(folder(), name);

  it('replace the former file as a whole', async () => {
    await writeFile(at('note'), 'former and longer');
    await writeAtomically(at('note'), Buffer.from('new'), never);
    assert.equal(await readFile(at('note'), 'utf8'), 'new');
  });

  it('leave the former file and nothing else when the node is stopped', async () => {
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

  it('leave nothing where they can not be put in their place', async () => {
    await mkdir(at('taken'));
    await assert.rejects(writeAtomically(at('taken'), Buffer.from('new'), never), {
      ...refusal,
      message: /taken/,
    });
    assert.deepEqual(
      (await readdir(folder())).filter((name) => name.endsWith('.part')),
      [],
    );
  });
});
