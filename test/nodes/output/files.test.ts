import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { bounded } from '../../../nodes/output/bounded.js';
import { checkWritable, readBounded, writeAtomically } from '../../../nodes/output/files.js';
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

describe('a path that no audio may replace', () => {
  const folder = useDataFolder();
  const at = (name: string) => path.join(folder(), name);
  const sound = Buffer.from('sound');
  const write = async (file: string) => {
    await checkWritable(file, { signal: never });
    await writeAtomically(file, sound, never);
  };

  it('is a pipe, device, socket or folder: the error names the path, and the path stays', async () => {
    execFileSync('mkfifo', [at('fifo')]);
    await mkdir(at('album'));
    const socket = createServer().listen(at('socket'));
    await new Promise((resolve) => socket.once('listening', resolve));
    try {
      for (const file of [at('fifo'), at('socket'), '/dev/null']) {
        const before = (await lstat(file)).mode;
        for (const attempt of [checkWritable(file, { signal: never }), writeAtomically(file, sound, never)])
          await assert.rejects(attempt, { ...badRequest, message: /pipe, device or socket/ });
        assert.equal((await lstat(file)).mode, before);
      }
      await assert.rejects(write(at('album')), { ...badRequest, message: /album": this path is a folder/ });
    } finally {
      await new Promise((resolve) => socket.close(resolve));
    }
  });

  it('is a symbolic link: its target gets the audio, and the link stays', async () => {
    await mkdir(at('shelf'));
    await writeFile(at('shelf/real.wav'), 'former');
    await symlink(at('shelf/real.wav'), at('link.wav'));
    await write(at('link.wav'));
    assert.ok((await lstat(at('link.wav'))).isSymbolicLink());
    assert.equal(await readFile(at('shelf/real.wav'), 'utf8'), 'sound');
    await symlink(at('nowhere'), at('broken.wav'));
    await assert.rejects(write(at('broken.wav')), { ...badRequest, message: /broken\.wav/ });
  });

  for (const [what, name] of [
    ['a NUL', 'a\0b.wav'],
    ['300 characters', `${'x'.repeat(300)}.wav`],
    ['a file as its folder', 'note/b.wav'],
  ] as const) {
    it(`has ${what}: reading and writing reject with bad-request`, async () => {
      await writeFile(at('note'), 'text');
      for (const attempt of [
        write(at(name)),
        writeAtomically(at(name), sound, never),
        readBounded(at(name), 9, never),
      ])
        await assert.rejects(attempt, badRequest);
    });
  }

  it('is not the name of the maximum length', async () => {
    const file = at(`${'x'.repeat(251)}.wav`);
    await write(file);
    assert.equal(await readFile(file, 'utf8'), 'sound');
  });
});

describe('checkWritable', () => {
  const folder = useDataFolder();
  const at = (name: string) => path.join(folder(), name);

  it('leaves no file', async () => {
    await checkWritable(at('new.wav'), { signal: never });
    assert.deepEqual(await readdir(folder()), []);
  });

  it('rejects a missing folder with its name and the fix, and creates it on request', async () => {
    const file = at('one/two/new.wav');
    await assert.rejects(checkWritable(file, { signal: never }), {
      ...badRequest,
      message: /^folder ".*one\/two" does not exist: create it/,
    });
    await checkWritable(file, { signal: never, createFolder: true });
    await writeAtomically(file, Buffer.from('sound'), never);
    assert.equal(await readFile(file, 'utf8'), 'sound');
  });

  it('rejects a folder that accepts no files', () =>
    assert.rejects(checkWritable('/proc/sound.wav', { signal: never }), {
      ...badRequest,
      message: /\/proc\/sound/,
    }));
});

describe('work on a file that never answers', () => {
  const hang = () => new Promise<never>(() => undefined);

  it('rejects as timed-out with the name of the file', () =>
    assert.rejects(bounded('/dead/share', never, hang, 10), {
      code: 'timed-out',
      route: 'retryable',
      message: /"\/dead\/share": the file system did not answer within 0\.01 s/,
    }));

  it('rejects at once with the reason of the signal', async () => {
    const controller = new AbortController();
    const working = bounded('/dead/share', controller.signal, hang);
    controller.abort(new Error('stopped'));
    await assert.rejects(working, /stopped/);
  });

  it('does not write the file later', async () => {
    let seen: AbortSignal | undefined;
    const work = (signal: AbortSignal) => {
      seen = signal;
      return hang();
    };
    await assert.rejects(bounded('/dead/share', never, work, 10));
    assert.equal(seen?.aborted, true);
  });
});
